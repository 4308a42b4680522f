// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "regroup/outcome.hpp"

namespace regroup {
namespace {

/// What the reports of one chain come to.
struct Chain {
  double samples = 0;
  double mean = 0;
  double variance = 0;   // of its samples
  double of_means = 0;   // variance of the means of its reports, times the samples of each
  bool several = false;  // reports
};

Chain chain_of(std::span<const ChainReport> reports) {
  Chain chain;
  for (const ChainReport& report : reports) {
    const auto samples = static_cast<double>(report.samples);
    chain.samples += samples;
    chain.mean += samples * report.mean;
  }
  chain.mean /= chain.samples;
  for (const ChainReport& report : reports) {
    const auto samples = static_cast<double>(report.samples);
    const double away = samples * (report.mean - chain.mean) * (report.mean - chain.mean);
    chain.variance += samples * report.variance + away;
    chain.of_means += away;
  }
  chain.several = reports.size() > 1;
  chain.variance /= chain.samples;
  if (chain.several) chain.of_means /= static_cast<double>(reports.size() - 1);
  return chain;
}

double r_hat(std::span<const Chain> chains) {
  const auto number = static_cast<double>(chains.size());
  double mean = 0;
  double within = 0;
  double samples = 0;
  for (const Chain& chain : chains) {
    mean += chain.mean / number;
    within += chain.variance / number;
    samples += chain.samples / number;
  }
  double between = 0;
  for (const Chain& chain : chains) {
    between += (chain.mean - mean) * (chain.mean - mean) / (number - 1);
  }
  return within > 0 ? std::sqrt((samples - 1) / samples + between / within) : 0;
}

}  // namespace

Convergence convergence_of(std::span<const ChainReport> reports) {
  std::vector<Chain> chains;
  for (auto rest = reports; !rest.empty();) {
    const auto end = std::ranges::find_if(
        rest, [&](const ChainReport& report) { return report.number != rest.front().number; });
    const auto own = rest.first(static_cast<std::size_t>(end - rest.begin()));
    chains.push_back(chain_of(own.subspan(own.size() / 2)));
    rest = rest.subspan(own.size());
  }
  Convergence found;
  double samples = 0;
  for (const Chain& chain : chains) {
    samples += chain.samples;
    found.mean += chain.samples * chain.mean;
    if (chain.of_means > 0) {
      found.effective_samples += chain.samples * std::min(1.0, chain.variance / chain.of_means);
    }
  }
  if (samples > 0) found.mean /= samples;
  std::erase_if(chains, [](const Chain& chain) { return !chain.several; });
  if (chains.size() > 1) found.r_hat = r_hat(chains);
  return found;
}

std::string text_of(const Convergence& found) {
  std::string text;
  if (found.r_hat > 0) text = fmt::format("R-hat {:.3f}", found.r_hat);
  if (found.effective_samples > 0) {
    text += fmt::format("{}{:.0f} effective samples", text.empty() ? "" : ", ",
                        found.effective_samples);
  }
  return text;
}

std::int64_t next_checked(std::int64_t round) {
  constexpr std::int64_t first = 20;
  return round < first ? first : round + std::max<std::int64_t>(1, round / first);
}

std::int64_t items_until_met(std::span<const ChainReport> reports, std::int64_t every,
                             const StoppingRule& enough) {
  const auto round_of = [every](const ChainReport& report) {
    return (report.items - 1) / every + 1;
  };
  std::int64_t last = 0;
  for (const ChainReport& report : reports) last = std::max(last, round_of(report));
  std::vector<ChainReport> some;
  for (std::int64_t round = next_checked(0); round <= last; round = next_checked(round)) {
    some.clear();
    std::ranges::copy_if(reports, std::back_inserter(some),
                         [&](const ChainReport& report) { return round_of(report) <= round; });
    if (enough.is_met_by(convergence_of(some))) return round * every;
  }
  return 0;
}

ConvergenceMonitor::ConvergenceMonitor(std::int64_t every, const StoppingRule& enough,
                                       std::span<const std::int64_t> items,
                                       std::span<const std::int64_t> before)
    : every_(every), enough_(enough), chains_(items.size()), judged_(next_checked(0)) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    chains_[i].told = before.empty() ? 0 : before[i] / every_;
    chains_[i].complete = items[i] == 0;
  }
  going_on_ = static_cast<std::size_t>(std::ranges::count(chains_, false, &OfChain::complete));
  behind_ = chains_behind();
}

void ConvergenceMonitor::add(const ChainReport& report, bool ended) {
  OfChain& chain = chains_[static_cast<std::size_t>(report.number)];
  const bool was_behind = !chain.complete && chain.told < round_;
  chain.reports.emplace(report.items, report);
  if (ended) chain.ended_at = report.items;
  while (chain.reports.contains((chain.told + 1) * every_)) ++chain.told;
  most_items_ = std::max(most_items_, report.items);
  if (!chain.complete && chain.ended_at >= 0 && chain.told >= chain.ended_at / every_) {
    chain.complete = true;
    --going_on_;
  }
  if (was_behind && (chain.complete || chain.told >= round_)) --behind_;
  while (is_ready()) end_round();
}

void ConvergenceMonitor::end_round() {
  const bool is_judged = round_ == judged_ && enough_.asked() && enough_items_ == 0;
  if (round_ == judged_) judged_ = next_checked(judged_);
  ++round_;
  behind_ = chains_behind();
  if (is_judged && enough_.is_met_by(found())) enough_items_ = items();
}

std::size_t ConvergenceMonitor::chains_behind() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      chains_, [this](const OfChain& chain) { return !chain.complete && chain.told < round_; }));
}

Convergence ConvergenceMonitor::found() const { return convergence_of(reports_up_to(items())); }

std::vector<ChainReport> ConvergenceMonitor::reports() const {
  return reports_up_to(enough_items_ > 0 ? enough_items_ : most_items_);
}

std::vector<ChainReport> ConvergenceMonitor::reports_up_to(std::int64_t items) const {
  std::vector<ChainReport> all;
  for (const OfChain& chain : chains_) {
    for (const auto& [at, report] : chain.reports) {
      if (at <= items && report.samples > 0) all.push_back(report);
    }
  }
  return all;
}

std::vector<ChainEnd> ConvergenceMonitor::ends() const {
  std::vector<ChainEnd> ends;
  for (const OfChain& chain : chains_) {
    const auto after = chain.reports.upper_bound(enough_items_);
    if (after == chain.reports.begin()) continue;
    const ChainReport& last = std::prev(after)->second;
    ends.push_back({last.number, last.items, last.hash});
  }
  return ends;
}

}  // namespace regroup
