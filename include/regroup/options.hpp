// SPDX-License-Identifier: BSD-3-Clause
//
// The rows of plug-ins (balancers, workloads, walkers, …): a name, a line of help and options. The
// configuration reader, its messages, `regroup list` and the tests read them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace regroup {

/// A word that an option allows, and its meaning.
struct DescribedWord {
  std::string_view name;
  std::string_view help;
};

/// One option of a plug-in, with its allowed values.
struct OptionSpec {
  /// bytes: an integer, which configurations may also write as in 8K and 8:1M. strategy: a
  /// communicator strategy, or one of `words`. operation: a collective operation. A catalog
  /// replaces strategy and operation by choices.
  enum class Type { integer, real, bytes, choice, file, groups, faults, strategy, operation };

  std::string_view name;
  Type type;
  std::string_view fallback;                ///< default value; empty: must be given
  double min;                               ///< smallest value of integer, real and bytes
  double max;                               ///< largest value of integer, real and bytes
  std::span<const std::string_view> words;  ///< allowed values of a choice
  std::string_view help;
  std::span<const DescribedWord> described = {};  ///< words with a description
  std::span<const std::string_view> tried =
      {};                 ///< values that `regroup advise` compares; empty: only the default
  bool optional = false;  ///< has no default and may be omitted; options then do not contain it
};

constexpr OptionSpec integer_option(std::string_view name, std::string_view fallback, double min,
                                    double max, std::string_view help) {
  return {name, OptionSpec::Type::integer, fallback, min, max, {}, help};
}
constexpr OptionSpec real_option(std::string_view name, std::string_view fallback, double min,
                                 double max, std::string_view help) {
  return {name, OptionSpec::Type::real, fallback, min, max, {}, help};
}
constexpr OptionSpec bytes_option(std::string_view name, std::string_view fallback, double min,
                                  double max, std::string_view help) {
  return {name, OptionSpec::Type::bytes, fallback, min, max, {}, help};
}
constexpr OptionSpec choice_option(std::string_view name, std::string_view fallback,
                                   std::span<const std::string_view> words, std::string_view help) {
  return {name, OptionSpec::Type::choice, fallback, 0, 0, words, help};
}

/// The names of `rows`, which must be a constant of the program.
template <const auto& rows>
inline constexpr auto names_of_rows = [] {
  std::array<std::string_view, std::size(rows)> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = rows[i].name;
  return names;
}();
/// The names of `rows`, with their help.
template <const auto& rows>
inline constexpr auto described_rows = [] {
  std::array<DescribedWord, std::size(rows)> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = {rows[i].name, rows[i].help};
  return words;
}();

/// A choice among `rows`.
template <const auto& rows>
constexpr OptionSpec choice_option(std::string_view name, std::string_view fallback,
                                   std::string_view help) {
  OptionSpec option = choice_option(name, fallback, names_of_rows<rows>, help);
  option.described = described_rows<rows>;
  return option;
}

/// A strategy, or one of `extra_words`.
constexpr OptionSpec strategy_option(std::string_view name, std::string_view fallback,
                                     std::span<const std::string_view> extra_words,
                                     std::string_view help) {
  return {name, OptionSpec::Type::strategy, fallback, 0, 0, extra_words, help};
}
/// A strategy, or one of `rows`.
template <const auto& rows>
constexpr OptionSpec strategy_option(std::string_view name, std::string_view fallback,
                                     std::string_view help) {
  OptionSpec option = strategy_option(name, fallback, names_of_rows<rows>, help);
  option.described = described_rows<rows>;
  return option;
}

/// A collective operation (regroup/collective.hpp).
constexpr OptionSpec operation_option(std::string_view name, std::string_view help) {
  return {name, OptionSpec::Type::operation, {}, 0, 0, {}, help};
}

/// The option, with the values that `regroup advise` compares.
constexpr OptionSpec trying(OptionSpec option, std::span<const std::string_view> values) {
  option.tried = values;
  return option;
}

constexpr OptionSpec file_option(std::string_view name, std::string_view help) {
  return {name, OptionSpec::Type::file, {}, 0, 0, {}, help};
}

/// A file that may be omitted.
constexpr OptionSpec optional_file_option(std::string_view name, std::string_view help) {
  OptionSpec option = file_option(name, help);
  option.optional = true;
  return option;
}

/// The groups at the start of a run (kernel/starting_groups.hpp), or the word `fallback`.
constexpr OptionSpec groups_option(std::string_view name, std::string_view fallback,
                                   std::string_view help) {
  return {name, OptionSpec::Type::groups, fallback, 0, 0, {}, help};
}

/// Faults of ranks (kernel/faults.hpp).
constexpr OptionSpec faults_option(std::string_view name, std::string_view fallback,
                                   std::string_view help) {
  return {name, OptionSpec::Type::faults, fallback, 0, 0, {}, help};
}

/// Error message for `value`, with the allowed values; empty if it is valid.
std::string complaint(const OptionSpec& spec, std::string_view value);

/// The normal form of a valid `value`: "1" for "1.0" and "01".
std::string canonical(const OptionSpec& spec, std::string_view value);

/// The values that `value` in a configuration represents. For bytes: "2048" for "2K", and "8",
/// "16", "32" for the range "8:32", whose ends must be powers of two. Otherwise `value` itself,
/// valid or not.
std::vector<std::string> values_in(const OptionSpec& spec, const std::string& value);

/// Description of the allowed values of `spec`: "integer from 1 to 1000000", "release | merge".
std::string allowed(const OptionSpec& spec);

/// Base of the rows of all lists.
struct Entry {
  std::string_view name;
  std::string_view help;
  std::span<const OptionSpec> options;
};

/// Rows of any list.
using Entries = std::vector<Entry>;

template <class Rows>
Entries entries_of(const Rows& rows) {
  Entries entries;
  for (const auto& row : rows) {
    if constexpr (requires { row.options; }) {
      entries.push_back(row);
    } else {
      entries.push_back({row.name, row.help, {}});
    }
  }
  return entries;
}

/// Values of options by name, as text.
class Options {
 public:
  Options() = default;
  Options(std::initializer_list<std::pair<std::string, std::string>> values) {
    for (const auto& [name, value] : values) set(name, value);
  }

  void set(std::string name, std::string value);
  bool has(std::string_view name) const { return find(name) != values_.end(); }

  /// Throw std::out_of_range if there is no such option.
  std::int64_t integer(std::string_view name) const;
  double real(std::string_view name) const;
  const std::string& text(std::string_view name) const;

  std::size_t size() const { return values_.size(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  friend bool operator==(const Options&, const Options&) = default;

 private:
  using Values = std::vector<std::pair<std::string, std::string>>;

  Values::const_iterator find(std::string_view name) const;

  Values values_;  // sorted by name
};

/// Throws std::invalid_argument unless `options` has a valid value for every option of `entry` that
/// is not optional.
void check_options(const Entry& entry, const Options& options);

/// A chosen row of a list: its name and the value of each of its options.
struct Choice {
  std::string name;
  Options options;
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// Chooses `entry` with the fallback of every option that has one.
Choice with_fallbacks(const Entry& entry);

/// A row of a list, with a value for each of its options.
template <class Row>
struct Chosen {
  const Row* row = nullptr;
  Options options;

  const Row* operator->() const { return row; }
  explicit operator bool() const { return row != nullptr; }
  friend bool operator==(const Chosen&, const Chosen&) = default;
};

/// The row called `name` of the list `rows`, or nullptr.
template <class Rows>
const auto* find_entry(const Rows& rows, std::string_view name) {
  for (const auto& row : rows) {
    if (row.name == name) return &row;
  }
  return static_cast<decltype(&*std::begin(rows))>(nullptr);
}

}  // namespace regroup
