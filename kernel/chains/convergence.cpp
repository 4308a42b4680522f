// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "kernel/chains/diagnostics.hpp"

namespace regroup {

Moments& Moments::operator+=(const Moments& other) {
  if (other.samples == 0) return *this;
  if (samples == 0) return *this = other;
  const auto own = static_cast<double>(samples);
  const auto added = static_cast<double>(other.samples);
  const double off = (other.mean - mean) + (other.mean_rest - mean_rest);
  samples += other.samples;
  move_mean(off * (added / (own + added)));
  squared_deviations += other.squared_deviations + off * off * (own * added / (own + added));
  return *this;
}

double QuantityDiagnostics::effective_samples() const {
  return std::isnan(tail_ess) ? bulk_ess : std::min(bulk_ess, tail_ess);
}

namespace {

Moments merged(std::span<const Moments> parts) {
  Moments all;
  for (const Moments& part : parts) all += part;
  return all;
}

Moments moments_of_means(std::span<const Moments> parts) {
  Moments all;
  for (const Moments& part : parts) all.add(part.mean);
  return all;
}

/// Estimates the variance of a chain's mean from the means of batches of `size` reports.
double variance_of_mean(std::span<const Moments> reports, std::size_t size) {
  std::vector<Moments> batches;
  for (; reports.size() >= size; reports = reports.subspan(size)) {
    batches.push_back(merged(reports.first(size)));
  }
  return moments_of_means(batches).variance() / static_cast<double>(batches.size());
}

/// `chains`: the moments of the reports of each chain, equally many for all chains.
Diagnostics batch_diagnostics_of(std::span<const std::vector<Moments>> chains) {
  constexpr std::size_t least_batches = 8;  // per chain
  const std::size_t reports = chains.front().size();
  if (reports == 0) return {};
  const auto number = static_cast<double>(chains.size());
  std::vector<Moments> wholes;
  std::vector<Moments> halves;
  double within = 0;
  double samples = 0;  // mean number per half
  bool stands_still = false;
  for (const std::vector<Moments>& chain : chains) {
    wholes.push_back(merged(chain));
    stands_still |= wholes.back().squared_deviations == 0;
    const std::span all(chain);
    for (const auto half : {all.first(reports / 2), all.last(reports / 2)}) {
      halves.push_back(merged(half));
      within += halves.back().variance() / (2 * number);
      samples += static_cast<double>(halves.back().samples) / (2 * number);
    }
  }
  const Moments all = merged(wholes);
  Diagnostics found;
  found.mean = all.mean;
  found.sd = std::sqrt(all.variance());
  if (stands_still || reports < 2) return found;
  const double between = moments_of_means(halves).variance();
  found.r_hat = std::sqrt((samples - 1) / samples + between / within);

  double of_mean = moments_of_means(wholes).variance() / number;
  for (std::size_t size = 1; size == 1 || reports / size >= least_batches; size *= 2) {
    double sum = 0;
    for (const std::vector<Moments>& chain : chains) sum += variance_of_mean(chain, size);
    of_mean = std::max(of_mean, sum / (number * number));
  }
  of_mean = std::max(of_mean, all.variance() / static_cast<double>(all.samples));
  found.bulk_ess = all.variance() / of_mean;
  found.mcse = std::sqrt(of_mean);
  return found;
}

/// Groups consecutive reports of the same chain.
std::vector<std::vector<const ChainReport*>> by_chain(std::span<const ChainReport> reports) {
  std::vector<std::vector<const ChainReport*>> chains;
  for (const ChainReport& report : reports) {
    if (chains.empty() || chains.back().front()->number != report.number) chains.emplace_back();
    chains.back().push_back(&report);
  }
  return chains;
}

}  // namespace

Convergence convergence_of(std::span<const ChainReport> reports,
                           std::span<const std::string> names) {
  return convergence_of(reports, names, {});
}

bool counts(int chain, std::int64_t items, std::span<const ChainFailure> failures) {
  const auto failed = std::ranges::find(failures, chain, &ChainFailure::number);
  return failed == failures.end() || failed->item >= items;
}

Convergence convergence_of(std::span<const ChainReport> reports, std::span<const std::string> names,
                           std::span<const ChainFailure> failures, std::int64_t items) {
  Convergence found;
  auto chains = by_chain(reports);
  std::erase_if(chains,
                [&](const auto& chain) { return !counts(chain.front()->number, items, failures); });
  found.chains = chains.size();
  found.of_draws = std::ranges::all_of(reports, [&](const ChainReport& report) {
    return report.draws.size() == static_cast<std::size_t>(report.samples()) * names.size();
  });
  if (chains.empty()) return found;
  std::vector<std::vector<Moments>> moments(chains.size());
  std::vector<std::vector<double>> draws(chains.size());
  for (std::size_t quantity = 0; quantity < names.size(); ++quantity) {
    for (std::size_t chain = 0; chain < chains.size(); ++chain) {
      moments[chain].clear();
      draws[chain].clear();
      for (const ChainReport* report : chains[chain]) {
        if (report->samples() == 0) continue;
        moments[chain].push_back(report->quantities[quantity]);
        for (std::size_t i = quantity; i < report->draws.size(); i += names.size()) {
          draws[chain].push_back(report->draws[i]);
        }
      }
    }
    const auto shortest = [](const auto& all) {
      return std::ranges::min_element(all, {}, [](const auto& one) { return one.size(); })->size();
    };
    const std::size_t length = found.of_draws ? shortest(draws) : shortest(moments);
    found.per_chain = static_cast<std::int64_t>(length);
    for (auto& chain : moments) chain.resize(std::min(chain.size(), length));
    found.quantities.push_back(
        {found.of_draws ? diagnostics_of(draws) : batch_diagnostics_of(moments), names[quantity]});
  }
  return found;
}

namespace {

/// Returns the largest or smallest figure of all quantities; no_figure if one is undefined.
template <class Better, class Figure>
double of_all(const Convergence& found, Better better, Figure figure) {
  double best = no_figure;
  for (const QuantityDiagnostics& quantity : found.quantities) {
    if (is_of_sampler(quantity.name)) continue;
    const double value = figure(quantity);
    if (std::isnan(value)) return no_figure;
    if (std::isnan(best) || better(value, best)) best = value;
  }
  return best;
}

}  // namespace

double Convergence::r_hat() const {
  return of_all(*this, std::greater(), [](const auto& quantity) { return quantity.r_hat; });
}

double Convergence::effective_samples() const {
  return of_all(*this, std::less(),
                [](const auto& quantity) { return quantity.effective_samples(); });
}

const QuantityDiagnostics* Convergence::worst() const {
  const QuantityDiagnostics* worst = nullptr;
  for (const QuantityDiagnostics& quantity : quantities) {
    if (is_of_sampler(quantity.name)) continue;
    const double samples = quantity.effective_samples();
    if (std::isnan(samples)) return &quantity;
    if (worst == nullptr || samples < worst->effective_samples()) worst = &quantity;
  }
  return worst;
}

std::string text_of(const Convergence& found) {
  const QuantityDiagnostics* worst = found.worst();
  constexpr std::int64_t least = 4;  // minimum length of chains for figures
  if (worst == nullptr || found.per_chain < least) return {};
  if (std::isnan(worst->bulk_ess)) return worst->name + " does not vary in some chain";
  const std::string_view batch = found.of_draws ? "" : "batch ";
  std::string text;
  if (!std::isnan(found.r_hat())) text = fmt::format("{}R-hat {:.3f}", batch, found.r_hat());
  if (!std::isnan(found.effective_samples())) {
    text += fmt::format("{}{:.0f} {}effective samples", text.empty() ? "" : ", ",
                        found.effective_samples(), batch);
  }
  const auto counted = std::ranges::count_if(
      found.quantities, [](const auto& quantity) { return !is_of_sampler(quantity.name); });
  if (counted > 1 && !text.empty()) text += fmt::format(" (worst: {})", worst->name);
  return text;
}

// ---- stopping rule

bool StoppingRule::is_met_by(const Convergence& found) const {
  if (found.per_chain < least) return false;
  // Comparisons with no_figure are false.
  return (r_hat == 0 || (found.chains > 1 && found.r_hat() <= r_hat)) &&
         (effective_samples == 0 || found.effective_samples() >= effective_samples);
}

std::optional<Complaint> complaint(const StoppingRule& rule, std::span<const std::int64_t> items,
                                   const ReportPlan& plan) {
  if (rule.r_hat != 0 && !(rule.r_hat >= 1 && std::isfinite(rule.r_hat))) {
    return Complaint{fmt::format("R-hat of at most {} is impossible", rule.r_hat),
                     "allowed: 0, or at least 1"};
  }
  if (!(rule.effective_samples >= 0 && std::isfinite(rule.effective_samples))) {
    return Complaint{fmt::format("{} effective samples", rule.effective_samples),
                     "allowed: at least 0"};
  }
  if (!rule.asked()) return std::nullopt;
  if (plan.every == 0) {
    return Complaint{"a stopping rule needs reports of the chains, and there are none",
                     "give report_every, the items between two reports"};
  }
  const auto chains = std::ranges::count_if(items, [](std::int64_t n) { return n > 0; });
  if (rule.r_hat != 0 && chains < 2) {
    return Complaint{"R-hat compares chains, and there is one", "allowed: two chains or more"};
  }
  std::int64_t longest = 0;
  for (std::size_t chain = 0; chain < items.size(); ++chain) {
    const std::int64_t all = items[chain];
    if (all == 0) continue;
    longest = std::max(longest, all);
    const std::int64_t first = plan.warm_up / plan.thin + 1;
    const std::int64_t last = all / plan.thin;
    const std::int64_t draws = std::max<std::int64_t>(0, last - first + 1);
    std::int64_t reports = draws;
    if (draws > 0 && plan.thin < plan.every) {
      reports = (last * plan.thin - 1) / plan.every - (first * plan.thin - 1) / plan.every + 1;
    }
    const std::int64_t counting = plan.keep_draws ? draws : reports;
    if (counting >= StoppingRule::least) continue;
    return Complaint{
        fmt::format("the run could never end early: chain {} has {} items, {} in {}", chain, all,
                    plan.warm_up > 0 ? fmt::format("{} of them in its warm-up, and {}",
                                                   std::min(plan.warm_up, all), draws) +
                                           " draws"
                                     : fmt::format("{} draws", draws),
                    fmt::format("{} reports", reports)),
        fmt::format("at least {} {} of each chain", StoppingRule::least,
                    plan.keep_draws ? "draws" : "reports with draws")};
  }
  if (longest < next_checked(0) * plan.every) {
    return Complaint{
        fmt::format("the run could never end early: the longest chain has {} items, {} reports",
                    longest, longest / plan.every),
        fmt::format("at least {} reports, before which nothing is judged", next_checked(0))};
  }
  return std::nullopt;
}

std::int64_t next_checked(std::int64_t round) {
  constexpr std::int64_t first = 20;
  return round < first ? first : round + std::max<std::int64_t>(1, round / first);
}

std::int64_t items_until_met(std::span<const ChainReport> reports,
                             std::span<const std::string> names, std::int64_t every,
                             const StoppingRule& enough, std::span<const ChainFailure> failures) {
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
    const std::int64_t items = round * every;
    if (enough.is_met_by(convergence_of(some, names, failures, items))) return items;
  }
  return 0;
}

ConvergenceMonitor::ConvergenceMonitor(std::vector<std::string> names, std::int64_t every,
                                       const StoppingRule& enough,
                                       std::span<const std::int64_t> items,
                                       std::span<const std::int64_t> before,
                                       std::vector<ChainReport> reports,
                                       std::vector<ChainFailure> failures)
    : names_(std::move(names)),
      every_(every),
      enough_(enough),
      chains_(items.size()),
      failures_(std::move(failures)),
      judged_(next_checked(0)) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    chains_[i].told = before.empty() ? 0 : before[i] / every_;
    chains_[i].complete = items[i] == 0;
  }
  for (ChainReport& report : reports) {
    most_items_ = std::max(most_items_, report.items);
    auto& own = chains_[static_cast<std::size_t>(report.number)].reports;
    own.emplace(report.items, std::move(report));
  }
  going_on_ = static_cast<std::size_t>(std::ranges::count(chains_, false, &OfChain::complete));
  behind_ = chains_behind();
  while (is_ready()) end_round();
}

void ConvergenceMonitor::add(ChainReport report, bool ended) {
  most_items_ = std::max(most_items_, report.items);
  update(report.number, [&](OfChain& chain) {
    if (ended) chain.ended_at = report.items;
    chain.reports.emplace(report.items, std::move(report));
  });
}

void ConvergenceMonitor::add(ChainFailure failure) {
  const int number = failure.number;
  const std::int64_t item = failure.item;
  failures_.push_back(std::move(failure));
  update(number, [&](OfChain& chain) { chain.ended_at = item; });
}

template <class Change>
void ConvergenceMonitor::update(int number, Change change) {
  OfChain& chain = chains_[static_cast<std::size_t>(number)];
  const bool was_behind = !chain.complete && chain.told < round_;
  change(chain);
  while (chain.reports.contains((chain.told + 1) * every_)) ++chain.told;
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

Convergence ConvergenceMonitor::found() const {
  return convergence_of(reports_up_to(items()), names_, failures_, items());
}

std::vector<ChainReport> ConvergenceMonitor::reports() const {
  return reports_up_to(enough_items_ > 0 ? enough_items_ : most_items_);
}

std::vector<ChainReport> ConvergenceMonitor::reports_up_to(std::int64_t items) const {
  std::vector<ChainReport> all;
  for (const OfChain& chain : chains_) {
    // Chains may be far ahead of the round; their later reports are not examined.
    const auto end = chain.reports.upper_bound(items);
    for (auto at = chain.reports.begin(); at != end; ++at) all.push_back(at->second);
  }
  return all;
}

std::vector<ChainEnd> ConvergenceMonitor::ends() const {
  std::vector<ChainEnd> ends;
  for (const OfChain& chain : chains_) {
    const auto after = chain.reports.upper_bound(enough_items_);
    if (after == chain.reports.begin()) continue;
    const ChainReport& last = std::prev(after)->second;
    if (!counts(last.number, enough_items_, failures_)) continue;
    ends.push_back({last.number, last.items, last.hash});
  }
  return ends;
}

}  // namespace regroup
