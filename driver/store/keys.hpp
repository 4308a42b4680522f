// SPDX-License-Identifier: BSD-3-Clause
//
// The names by which users choose results (--where) and combine them (--by).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "driver/store/record.hpp"

namespace regroup {

/// A parameter, an option of one, or a condition of the run, under its name in results.
struct Key {
  std::string name;
  std::function<std::string(const Record& record)> text;  ///< as tables show it; may be empty
  const Parameter* parameter = nullptr;                   ///< of which `text` is the value
  bool is_option = false;    ///< of a parameter, whose text contains it
  bool of_balancer = false;  ///< it tells balancers apart

  /// Whether `value` names that of `record`: "uniform" as well as "uniform(mean_items=140)".
  bool has(const Record& record, const std::string& value) const;
};

/// The keys of measurements of `kind`, or of runs where it is nullptr.
std::vector<Key> keys_of(const MeasurementKind* kind, const Catalog& catalog);

/// The key called `name`. Throws UserError, which begins with `option` and lists the keys in which
/// the results in `directory` differ.
const Key& key_named(const std::vector<Key>& keys, std::string_view name, std::string_view option,
                     const std::string& directory, const MeasurementKind* kind,
                     const Catalog& catalog);

/// Different texts, as of one key. Empty ones do not count: the key does not apply there.
class Texts {
 public:
  void add(const std::string& text);
  std::size_t size() const { return places_.size(); }
  std::size_t place(const std::string& text) const { return places_.at(text); }  ///< of appearance
  /// Those of numbers ascend; others are in the order of their appearance.
  std::vector<std::string> sorted() const;

 private:
  std::map<std::string, std::size_t> places_;
  std::string last_;  // that was added
};

/// Chooses the results that meet all conditions.
class Filter {
 public:
  /// Throws UserError for what is no condition, or names no key.
  Filter(const Where& where, const std::string& directory, const MeasurementKind* kind,
         const Catalog& catalog);

  bool admits(const Record& record);
  /// Called after the last record. Throws UserError where none had one of the values, or none was
  /// admitted; it lists the values that there are.
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
  bool any_ = false;       // records
  bool admitted_ = false;  // one of them
};

/// Calls `visit` with those records in `directory` that meet `where`.
void each_record_where(const Where& where, const std::string& directory,
                       const MeasurementKind* kind, const Catalog& catalog,
                       const std::function<void(const CsvRow& row, Record record)>& visit);

}  // namespace regroup
