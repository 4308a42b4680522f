// SPDX-License-Identifier: BSD-3-Clause
//
// Keys by which users select results (--where) and combine them (--by).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "driver/store/record.hpp"

namespace regroup {

/// A parameter, an option of a parameter, or a condition of the run.
struct Key {
  std::string name;
  std::function<std::string(const Record& record)> text;  ///< as tables show it; may be empty
  const Parameter* parameter = nullptr;                   ///< whose value `text` shows, if any
  bool is_option = false;    ///< of a parameter; its text contains the option
  bool of_balancer = false;  ///< it distinguishes balancers

  /// Returns whether `record` has `value`: "uniform" matches "uniform(mean_items=140)".
  bool has(const Record& record, const std::string& value) const;
};

/// Returns the keys of measurements of `kind`, or of runs if it is nullptr.
std::vector<Key> keys_of(const MeasurementKind* kind, const Catalog& catalog);

/// Returns the key `name`. If there is none, throws UserError; its message starts with `option` and
/// lists the keys in which the results in `directory` differ.
const Key& key_named(const std::vector<Key>& keys, std::string_view name, std::string_view option,
                     const std::string& directory, const MeasurementKind* kind,
                     const Catalog& catalog);

/// The distinct values of a key. Empty texts are ignored: the key does not apply there.
class Texts {
 public:
  void add(const std::string& text);
  std::size_t size() const { return places_.size(); }
  std::size_t place(const std::string& text) const { return places_.at(text); }  ///< by appearance
  /// Returns numbers in ascending order, other texts in order of first appearance.
  std::vector<std::string> sorted() const;

 private:
  std::map<std::string, std::size_t> places_;
  std::string last_;  // text added
};

/// Selects the results that meet all conditions.
class Filter {
 public:
  /// Throws UserError for an invalid condition or an unknown key.
  Filter(const Where& where, const std::string& directory, const MeasurementKind* kind,
         const Catalog& catalog);

  bool admits(const Record& record);
  /// Must be called after the last record. Throws UserError if a value occurs in no record, listing
  /// the existing values, or if no record was admitted.
  void check() const;

 private:
  struct Condition {
    std::string text;
    Key key;
    std::map<std::string, bool> wanted;  // whether a record had it
    Texts values = {};
  };

  std::string directory_;
  std::vector<Condition> conditions_;
  bool any_ = false;       // whether there was a record
  bool admitted_ = false;  // whether a record was admitted
};

/// Calls `visit` with each record in `directory` that meets `where`.
void each_record_where(const Where& where, const std::string& directory,
                       const MeasurementKind* kind, const Catalog& catalog,
                       const std::function<void(const CsvRow& row, Record record)>& visit);

}  // namespace regroup
