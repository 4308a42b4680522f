// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "kernel/faults.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/starting_groups.hpp"

namespace regroup {
namespace {

bool are_groups(std::string_view text) {
  try {
    StartingGroups::from(text);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// Accepts only the canonical form.
bool are_faults(std::string_view text) {
  try {
    return FaultPlan::from(text).text() == text;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// Parses "1536", "8K", "2M", "1G".
std::optional<std::int64_t> bytes_in(std::string_view text) {
  constexpr std::string_view units = "KMG";
  const auto unit = text.empty() ? units.npos : units.find(text.back());
  if (unit == units.npos) return parse<std::int64_t>(text);
  text.remove_suffix(1);
  const auto number = parse<std::int64_t>(text);
  std::int64_t bytes = 0;
  const std::int64_t factor = std::int64_t{1} << (10 * (unit + 1));
  if (!number || __builtin_mul_overflow(*number, factor, &bytes)) return std::nullopt;
  return bytes;
}

bool is_within(const OptionSpec& spec, std::optional<std::int64_t> number) {
  return number && static_cast<double>(*number) >= spec.min &&
         static_cast<double>(*number) <= spec.max;
}

bool is_fine(const OptionSpec& spec, std::string_view value) {
  switch (spec.type) {
    case OptionSpec::Type::integer:
    case OptionSpec::Type::bytes:
      return is_within(spec, parse<std::int64_t>(value));
    case OptionSpec::Type::real: {
      const auto number = parse<double>(value);
      return number && std::isfinite(*number) && *number >= spec.min && *number <= spec.max;
    }
    case OptionSpec::Type::choice:
      return std::ranges::find(spec.words, value) != spec.words.end();
    case OptionSpec::Type::file:
    case OptionSpec::Type::strategy:  // names are checked by a catalog
    case OptionSpec::Type::operation:
      return !value.empty();
    case OptionSpec::Type::groups:
      return value == spec.fallback || number_of_groups(value) || are_groups(value);
    case OptionSpec::Type::faults:
      return are_faults(value);
  }
  return false;
}

}  // namespace

std::string allowed(const OptionSpec& spec) {
  switch (spec.type) {
    case OptionSpec::Type::integer:
      return fmt::format("integer from {:.0f} to {:.0f}", spec.min, spec.max);
    case OptionSpec::Type::real:
      return fmt::format("number from {:g} to {:g}", spec.min, spec.max);
    case OptionSpec::Type::bytes:
      return fmt::format(
          "bytes from {:.0f} to {:.0f}, as in 512, 8K or 1M, or all powers of two in a range, as "
          "in 8:1M",
          spec.min, spec.max);
    case OptionSpec::Type::choice:
      return fmt::format("{}", fmt::join(spec.words, " | "));
    case OptionSpec::Type::file:
      return "path of a file";
    case OptionSpec::Type::strategy:
      return fmt::format("{}{}a communicator strategy", fmt::join(spec.words, " | "),
                         spec.words.empty() ? "" : " | ");
    case OptionSpec::Type::operation:
      return "a collective operation";
    case OptionSpec::Type::groups:
      return fmt::format("{}, a number of groups, or the ranks of each: 0-3/4-7 12/8-11",
                         spec.fallback);
    case OptionSpec::Type::faults:
      return fmt::format("{}, or as in kill:5@30/hang:random@1.2s/slow:3x4/mtbf:20s",
                         spec.fallback);
  }
  return {};
}

std::string complaint(const OptionSpec& spec, std::string_view value) {
  if (is_fine(spec, value)) return {};
  return fmt::format("'{}' is not a valid value of {}; allowed: {}", value, spec.name,
                     allowed(spec));
}

std::string canonical(const OptionSpec& spec, std::string_view value) {
  const bool counts = spec.type == OptionSpec::Type::groups && number_of_groups(value);
  const bool integer =
      spec.type == OptionSpec::Type::integer || spec.type == OptionSpec::Type::bytes;
  if (integer || counts) {
    return fmt::format("{}", parse<std::int64_t>(value).value());
  }
  if (spec.type == OptionSpec::Type::real) {
    return fmt::format("{}", parse<double>(value).value());
  }
  return std::string(value);
}

std::vector<std::string> values_in(const OptionSpec& spec, const std::string& value) {
  if (spec.type != OptionSpec::Type::bytes) return {value};
  const std::string_view text = value;
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto first = bytes_in(text.substr(0, colon));
  const auto last = colon < text.size() ? bytes_in(text.substr(colon + 1)) : first;
  if (!is_within(spec, first) || !is_within(spec, last)) return {value};
  const auto is_power = [](std::int64_t bytes) {
    return bytes > 0 && std::has_single_bit(static_cast<std::uint64_t>(bytes));
  };
  if (colon == text.size()) return {fmt::format("{}", *first)};
  if (!is_power(*first) || !is_power(*last) || *first > *last) return {value};
  std::vector<std::string> all;
  for (std::int64_t bytes = *first; bytes <= *last; bytes *= 2) {
    all.push_back(fmt::format("{}", bytes));
  }
  return all;
}

Options::Values::const_iterator Options::find(std::string_view name) const {
  return std::ranges::find(values_, name, &Values::value_type::first);
}

void Options::set(std::string name, std::string value) {
  const auto place = std::ranges::lower_bound(values_, name, {}, &Values::value_type::first);
  if (place != values_.end() && place->first == name) {
    place->second = std::move(value);
  } else {
    values_.emplace(place, std::move(name), std::move(value));
  }
}

const std::string& Options::text(std::string_view name) const {
  const auto found = find(name);
  if (found == values_.end()) throw std::out_of_range(fmt::format("no option '{}'", name));
  return found->second;
}

std::int64_t Options::integer(std::string_view name) const {
  const auto number = parse<std::int64_t>(text(name));
  if (!number) throw std::out_of_range(fmt::format("option '{}' is not an integer", name));
  return *number;
}

double Options::real(std::string_view name) const {
  const auto number = parse<double>(text(name));
  if (!number) throw std::out_of_range(fmt::format("option '{}' is not a number", name));
  return *number;
}

void check_options(const Entry& entry, const Options& options) {
  for (const OptionSpec& spec : entry.options) {
    const std::string name(spec.name);
    if (spec.optional && !options.has(name)) continue;
    const std::string wrong = options.has(name) ? complaint(spec, options.text(name))
                                                : fmt::format("no option '{}'", name);
    if (!wrong.empty()) throw std::invalid_argument(fmt::format("{}: {}", entry.name, wrong));
  }
}

Choice with_fallbacks(const Entry& entry) {
  Choice choice{std::string(entry.name), {}};
  for (const OptionSpec& spec : entry.options) {
    if (!spec.fallback.empty())
      choice.options.set(std::string(spec.name), std::string(spec.fallback));
  }
  return choice;
}

}  // namespace regroup
