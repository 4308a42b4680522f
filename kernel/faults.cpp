// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "kernel/numbers/parse.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

constexpr std::string_view no_faults = "none";
constexpr std::string_view random_word = "random";
constexpr std::string_view kind_words[]{"kill", "hang", "slow"};

struct Quantity {
  std::string_view word;
  double FaultPlan::*value;
  std::string_view unit;
};
constexpr Quantity quantities[]{{"mtbf", &FaultPlan::mtbf_s, "s"},
                                {"detection", &FaultPlan::detection_ms, "ms"},
                                {"save", &FaultPlan::save_ms, "ms"}};

std::string text_of(const Fault& fault) {
  const std::string rank =
      fault.rank == Fault::random_rank ? std::string(random_word) : std::to_string(fault.rank);
  std::string text = fmt::format("{}:{}", kind_words[static_cast<int>(fault.kind)], rank);
  if (!fault.loses_rank()) return text + fmt::format("x{}", fault.factor);
  return text +
         (fault.at_item > 0 ? fmt::format("@{}", fault.at_item) : fmt::format("@{}s", fault.at_s));
}

/// Splits `text` at the first `sign`.
std::pair<std::string_view, std::string_view> split(std::string_view text, char sign) {
  const std::size_t at = std::min(text.find(sign), text.size());
  return {text.substr(0, at), text.substr(std::min(at + 1, text.size()))};
}

/// Parses a number of at least 0 that is followed by `unit`.
std::optional<double> quantity(std::string_view text, std::string_view unit) {
  if (!text.ends_with(unit)) return std::nullopt;
  text.remove_suffix(unit.size());
  const auto number = parse<double>(text);
  return number && std::isfinite(*number) && *number >= 0 ? number : std::nullopt;
}

std::optional<Fault> fault_from(Fault::Kind kind, std::string_view text) {
  const bool slow = kind == Fault::Kind::slow;
  const auto [rank, rest] = split(text, slow ? 'x' : '@');
  Fault fault{kind};
  if (rank == random_word) {
    fault.rank = Fault::random_rank;
  } else if (const auto number = parse<int>(rank); number && *number >= 0) {
    fault.rank = *number;
  } else {
    return std::nullopt;
  }
  const auto number = quantity(rest, slow || !rest.ends_with('s') ? "" : "s");
  if (!number) return std::nullopt;
  if (slow) {
    fault.factor = *number;
    if (fault.factor < 1) return std::nullopt;
  } else if (rest.ends_with('s')) {
    fault.at_s = *number;
  } else {
    const auto item = parse<std::int64_t>(rest);
    if (!item || *item < 1) return std::nullopt;
    fault.at_item = *item;
  }
  return fault;
}

/// Adds `part` to `plan`. Returns false if `part` is not valid.
bool add_part(FaultPlan& plan, std::string_view part) {
  const auto [word, rest] = split(part, ':');
  for (const Quantity& one : quantities) {
    if (word != one.word) continue;
    const auto number = quantity(rest, one.unit);
    if (number) plan.*one.value = *number;
    return number.has_value();
  }
  for (const auto kind : {Fault::Kind::kill, Fault::Kind::hang, Fault::Kind::slow}) {
    if (word != kind_words[static_cast<int>(kind)]) continue;
    const auto fault = fault_from(kind, rest);
    if (fault) plan.faults.push_back(*fault);
    return fault.has_value();
  }
  return false;
}

}  // namespace

bool FaultPlan::loses_ranks() const {
  return mtbf_s > 0 || std::ranges::any_of(faults, &Fault::loses_rank);
}

bool FaultPlan::draws() const {
  return mtbf_s > 0 || std::ranges::count(faults, Fault::random_rank, &Fault::rank) > 0;
}

std::string FaultPlan::text() const {
  if (empty()) return std::string(no_faults);
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "/") + part; };
  for (const Fault& fault : faults) add(text_of(fault));
  for (const Quantity& one : quantities) {
    const double value = this->*one.value;
    if (value != FaultPlan().*one.value) add(fmt::format("{}:{}{}", one.word, value, one.unit));
  }
  return text;
}

FaultPlan FaultPlan::from(std::string_view text) {
  FaultPlan plan;
  if (text == no_faults) return plan;
  for (std::string_view rest = text; !rest.empty();) {
    const auto [part, behind] = split(rest, '/');
    if (!add_part(plan, part)) {
      throw std::invalid_argument(fmt::format(
          "'{}' is not a fault; allowed: {}, or as in kill:5@30/hang:random@1.2s/slow:3x4/mtbf:20s",
          part, no_faults));
    }
    rest = behind;
  }
  if (plan.empty()) throw std::invalid_argument(fmt::format("'{}' names no fault", text));
  return plan;
}

std::string FaultPlan::complaint(int ranks) const {
  std::vector<int> named;
  std::int64_t lost = 0;
  for (const Fault& fault : faults) {
    if (fault.rank >= ranks) {
      return fmt::format("rank {} of {}; allowed: 0 to {}", fault.rank, ranks, ranks - 1);
    }
    if (!fault.loses_rank()) continue;
    ++lost;
    if (fault.rank == Fault::random_rank) continue;
    if (std::ranges::find(named, fault.rank) != named.end()) {
      return fmt::format("rank {} is lost twice; allowed: once", fault.rank);
    }
    named.push_back(fault.rank);
  }
  if (lost >= ranks) {
    return fmt::format("{} of {} ranks are lost; allowed: at most {}", lost, ranks, ranks - 1);
  }
  return {};
}

std::vector<Fault> FaultPlan::draw(int ranks, std::uint64_t stream, double until_s) const {
  if (empty()) return {};
  std::vector<int> left(static_cast<std::size_t>(ranks));
  std::iota(left.begin(), left.end(), 0);
  std::vector<Fault> drawn = faults;
  for (const Fault& fault : drawn) {
    if (fault.loses_rank()) std::erase(left, fault.rank);
  }
  std::uint64_t count = 0;
  const auto bits = [&] { return random_bits(stream, Purpose::fault, 0, count++); };
  const auto draw_rank = [&](bool lost) {
    const auto index =
        static_cast<std::size_t>(unit_interval(bits()) * static_cast<double>(left.size()));
    const int rank = left[index];
    if (lost) {
      left[index] = left.back();
      left.pop_back();
    }
    return rank;
  };
  for (Fault& fault : drawn) {
    if (fault.rank == Fault::random_rank) fault.rank = draw_rank(fault.loses_rank());
  }
  if (mtbf_s == 0) return drawn;
  for (double at_s = 0; left.size() > 1;) {
    at_s -= mtbf_s * exact::log(1 - unit_interval(bits()));
    if (!(at_s < until_s)) break;
    drawn.push_back({Fault::Kind::kill, draw_rank(true), 0, at_s});
  }
  return drawn;
}

}  // namespace regroup
