// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/verify/outcome.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "jobs/catalog/resolve.hpp"
#include "kernel/measurement/sampled.hpp"
#include "kernel/numbers/hash.hpp"

namespace regroup {
namespace {

bool is_way_to_wait(const Scenario& scenario, const EngineEntry& engine, std::string_view waited) {
  if (engine.exact) return waited == "virtual";
  if (!engine.real) return waited == "direct";
  if (scenario.waiting == "direct") return waited == "direct";
  return waited == "polite" || waited == "wrapper" ||
         (waited == "direct" && scenario.waiting == "auto");
}

}  // namespace

void check_facts(const Scenario& scenario, const Outcome& outcome,
                 const std::function<void(const std::string&)>& wrong) {
  const auto must = [&](bool condition, std::string_view what, const auto& value) {
    if (!condition) wrong(fmt::format("{} is '{}'", what, value));
  };
  const EngineEntry& engine = engine_of(scenario);
  const bool real = engine.real;
  const bool simulated = engine.exact;
  const Strategy* strategy = find_entry(standard_catalog().strategies, scenario.communicator);
  // Groups that nobody regroups have communicators of MPI's where they are no ranges.
  const bool of_mpi =
      !simulated &&
      (strategy != nullptr ? !strategy->local() : starting_groups(scenario).with_gap() != nullptr);
  must(outcome.library.empty() == simulated, "mpi_library", outcome.library);
  must(is_way_to_wait(scenario, engine, outcome.waiting), "waited", outcome.waiting);
  must(!simulated || outcome.setup_s == 0, "setup_s", outcome.setup_s);
  must(of_mpi ? outcome.communicators_alive_max > 0 : outcome.communicators_alive_max == 0,
       "communicators_alive_max", outcome.communicators_alive_max);
  must(outcome.communicators_left == 0, "communicators_left", outcome.communicators_left);
  const WalkerEntry& walker = *find_entry(standard_catalog().walkers, scenario.walker.name);
  const bool has_state = walker.state_bytes(scenario.walker.options) > 0;
  must(has_state && !simulated ? hash_from(outcome.chains_hash).has_value()
                               : outcome.chains_hash.empty(),
       "chains_hash", outcome.chains_hash);
  must(has_state ? outcome.hand_over_bytes >= 0 : outcome.hand_over_bytes == 0, "hand_over_bytes",
       outcome.hand_over_bytes);
  must(outcome.hand_over_s >= 0 && std::isfinite(outcome.hand_over_s), "hand_over_s",
       outcome.hand_over_s);
  must(outcome.enough_items >= 0 && (scenario.may_end_early() || outcome.enough_items == 0),
       "enough_items", outcome.enough_items);
  must(outcome.resumed_items >= 0 && (scenario.save_every > 0 || outcome.resumed_items == 0),
       "resumed_items", outcome.resumed_items);
  must(real ? outcome.cpu_s >= 0 && std::isfinite(outcome.cpu_s) : outcome.cpu_s == 0, "cpu_s",
       outcome.cpu_s);
  must(real ? outcome.clock_error_us >= 0 && std::isfinite(outcome.clock_error_us)
            : outcome.clock_error_us == 0,
       "clock_error_us", outcome.clock_error_us);
  must(scenario.costs.name.empty() != simulated, "costs", scenario.costs.name);
}

std::optional<WrongRow> find_wrong_report(std::span<const ChainReport> reports, int every,
                                          std::span<const std::int64_t> items, bool resumed) {
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const ChainReport& report = reports[i];
    const auto no = [&](std::string_view what) {
      return WrongRow{
          i, fmt::format("chain {} after {} items: {}", report.number, report.items, what)};
    };
    if (every == 0) return no("a report of a run that makes none");
    if (report.number < 0 || static_cast<std::size_t>(report.number) >= items.size()) {
      return no("there is no such chain");
    }
    const bool last = i + 1 == reports.size() || reports[i + 1].number != report.number;
    if (!last && reports[i + 1].items <= report.items) return no("its next has no more items");
    if (i > 0 && reports[i - 1].number > report.number) return no("it comes after a later chain");
    if (report.items < 1 || (!last && report.items % every != 0)) {
      return no(fmt::format("reports come every {} items", every));
    }
    if (!resumed && report.items > items[static_cast<std::size_t>(report.number)]) {
      return no("it had no so many");
    }
    if (report.samples < 1 || !(report.variance >= 0) ||
        !std::isfinite(report.mean + report.variance)) {
      return no("these are no samples");
    }
    if (report.accepted < 0 || report.accepted > report.proposed) {
      return no("more moves were accepted than proposed");
    }
  }
  return std::nullopt;
}

std::optional<WrongRow> find_wrong_regroups(const RegroupRows& rows, const Regroups& right) {
  auto expected = right.begin();
  for (std::size_t i = 0; i < rows.size(); ++i, ++expected) {
    if (expected == right.end()) return WrongRow{i, "a row more than its groups tell"};
    if (rows[i] == std::pair(expected->first, expected->second)) continue;
    return WrongRow{
        i, fmt::format("{} processes with {} regroupings, but its groups tell of {} with {}",
                       rows[i].second, rows[i].first, expected->second, expected->first)};
  }
  if (expected == right.end()) return std::nullopt;
  return WrongRow{0, fmt::format("its groups tell also of {} processes with {} regroupings",
                                 expected->second, expected->first)};
}

std::optional<WrongRow> find_wrong_regroups(const RegroupRows& rows, int ranks) {
  std::int64_t left = ranks;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto [regroupings, processes] = rows[i];
    const bool ascends = i == 0 ? regroupings >= 0 : regroupings > rows[i - 1].first;
    if (!ascends) return WrongRow{i, fmt::format("{} regroupings do not come here", regroupings)};
    if (processes < 1 || processes > left) {
      return WrongRow{i, fmt::format("{} processes, where {} are left", processes, left)};
    }
    left -= processes;
  }
  if (left == 0) return std::nullopt;
  return WrongRow{0, fmt::format("{} processes are in none of the rows", left)};
}

std::optional<WrongRow> find_wrong_samples(std::span<const SampleRow> rows, std::size_t samples) {
  const std::size_t kept = kept_of(samples);
  const auto every = static_cast<std::int64_t>(kept_every(samples));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [figure, sample] = rows[i];
    const auto no = [&](std::string_view what) {
      return WrongRow{i, fmt::format("sample {} of {}: {}", sample.number, figure, what)};
    };
    const std::size_t place = i % kept;
    if (place > 0 ? figure != rows[i - 1].figure : i > 0 && figure <= rows[i - 1].figure) {
      return no(fmt::format("it must be one of {} of its figure", kept));
    }
    const auto right = static_cast<std::int64_t>(place) * every + 1;
    if (sample.number != right) return no(fmt::format("it must be sample {}", right));
    const double earliest = place == 0 ? 0 : rows[i - 1].sample.began_s;
    if (!(sample.began_s >= earliest) || !std::isfinite(sample.began_s)) {
      return no(
          fmt::format("it began at {} s, and the one before at {} s", sample.began_s, earliest));
    }
    const bool may_be_negative = find_entry(sampled_times(), figure)->is_difference;
    if (!std::isfinite(sample.value_s) || (sample.value_s < 0 && !may_be_negative)) {
      return no(fmt::format("it took {} s", sample.value_s));
    }
  }
  if (rows.size() % kept == 0) return std::nullopt;
  return WrongRow{rows.size() - 1,
                  fmt::format("there are fewer than {} samples of {}", kept, rows.back().figure)};
}

}  // namespace regroup
