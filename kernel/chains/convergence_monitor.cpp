// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/chains/convergence_monitor.hpp"

#include <algorithm>
#include <iterator>

namespace regroup {

ConvergenceMonitor::ConvergenceMonitor(std::int64_t every, const Enough& enough,
                                       std::span<const std::int64_t> items,
                                       std::span<const std::int64_t> before)
    : every_(every), enough_(enough), chains_(items.size()) {
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
  if (!chain.complete && chain.ended_at >= 0 && chain.told == chain.ended_at / every_) {
    chain.complete = true;
    --going_on_;
  }
  if (was_behind && (chain.complete || chain.told >= round_)) --behind_;
  while (is_ready()) judge();
}

void ConvergenceMonitor::judge() {
  ++round_;
  behind_ = chains_behind();
  if (enough_items_ == 0 && enough_.asked() && enough_.is_met_by(found())) enough_items_ = items();
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
