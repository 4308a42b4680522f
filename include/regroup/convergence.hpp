// SPDX-License-Identifier: BSD-3-Clause
//
// What Markov chains observe, how well they agree, and when a run may end because of it. Needs no
// MPI.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace regroup {

/// Number, mean and spread of samples, without loss of digits where the mean is large.
/// Sources: Welford, Technometrics 4, 1962; Chan, Golub and LeVeque, The American Statistician 37,
/// 1983.
struct Moments {
  std::int64_t samples = 0;
  double mean = 0;
  double squared_deviations = 0;  ///< from the mean, their sum
  double mean_rest = 0;           ///< digits of the mean beyond those of `mean`

  void add(double sample) {
    ++samples;
    const double off = (sample - mean) - mean_rest;
    move_mean(off / static_cast<double>(samples));
    squared_deviations += off * ((sample - mean) - mean_rest);
  }
  Moments& operator+=(const Moments& other);
  /// Without the rest, as they are reported.
  Moments rounded() const { return {samples, mean, squared_deviations}; }
  /// The estimate from the samples; 0 of fewer than two.
  double variance() const {
    return samples > 1 ? squared_deviations / static_cast<double>(samples - 1) : 0;
  }
  friend bool operator==(const Moments&, const Moments&) = default;

 private:
  void move_mean(double by) {
    const double low = mean_rest + by;
    const double sum = mean + low;
    mean_rest = low - (sum - mean);
    mean = sum;
  }
};

/// Whether the quantity is about the sampler itself, as Stan marks it: "accept_stat__". No stopping
/// rule looks at such a quantity.
inline bool is_of_sampler(std::string_view quantity) { return quantity.ends_with("__"); }

/// What a chain observed in some of its items, one after the other. What a walker observes at the
/// end of an item is a draw: a number for each of its quantities.
struct ChainReport {
  int number = 0;                   ///< of the chain
  std::int64_t items = 0;           ///< of the chain that were executed at its end
  std::uint64_t hash = 0;           ///< of what every item of the chain had come to by then
  std::vector<Moments> quantities;  ///< of the draws, rounded, in the order of the quantities
  std::vector<double> draws;        ///< one after the other; empty where they are not kept

  std::int64_t samples() const { return quantities.empty() ? 0 : quantities.front().samples; }
  friend bool operator==(const ChainReport&, const ChainReport&) = default;
};

/// As one line of JSON, and back. Throws where `text` is no report.
std::string to_json(const ChainReport& report);
ChainReport report_from_json(const std::string& text);

/// What a chain has come to.
struct ChainEnd {
  int number = 0;          ///< of the chain: 0, 1, … in the run
  std::int64_t items = 0;  ///< that were executed
  std::uint64_t hash = 0;  ///< of its last state and of what every item came to
  friend bool operator==(const ChainEnd&, const ChainEnd&) = default;
};

/// A chain that has ended with an error.
struct ChainFailure {
  int number = 0;         ///< of the chain
  std::int64_t item = 0;  ///< that failed: as many were executed before it
  std::string reason;     ///< in one line
  friend bool operator==(const ChainFailure&, const ChainFailure&) = default;
};

/// A figure that has no meaning: of a quantity that does not vary, or of too few draws.
inline constexpr double no_figure = std::numeric_limits<double>::quiet_NaN();

/// What the chains say of one quantity; each may be `no_figure`.
struct Diagnostics {
  double mean = no_figure;
  double sd = no_figure;        ///< standard deviation of all draws
  double r_hat = no_figure;     ///< near 1 where chains agree; perhaps infinite
  double bulk_ess = no_figure;  ///< effective sample size of the rank-normalised draws
  double tail_ess = no_figure;  ///< … for the 5 % and 95 % quantiles: the smaller
  double mcse = no_figure;      ///< Monte Carlo standard error of the mean
};

struct QuantityDiagnostics : Diagnostics {
  std::string name;

  /// The smaller of both sizes, so far as there are both.
  double effective_samples() const;
};

/// What chains say of the distribution that all of them sample. Chains of unequal length are cut to
/// the length of the shortest: the first draws of each count, and the first reports.
///
/// Where draws are kept, the figures are computed from them: R-hat is the larger of the split
/// rank-normalised and the folded one. Source: Vehtari, Gelman, Simpson, Carpenter and Bürkner,
/// Bayesian Analysis 16, 2021.
///
/// Otherwise they are batch figures, computed from the moments of reports. R-hat compares the
/// halves of chains, without ranks. Source: Gelman et al., Bayesian Data Analysis, 3rd edition,
/// 2013, section 11.4. The effective sample size errs on the safe side: it follows from the
/// largest of the variances that means of 1, 2, 4, … reports and the means of chains suggest. There
/// is none for tails. Source: Flegal, Haran and Jones, Statistical Science 23, 2008 (batch means).
///
/// A quantity that does not vary in some chain has a mean and a standard deviation, and no other
/// figure.
struct Convergence {
  bool of_draws = false;       ///< rather than of reports
  std::size_t chains = 0;      ///< that count
  std::int64_t per_chain = 0;  ///< draws of each chain that count; reports where not of_draws
  std::vector<QuantityDiagnostics> quantities;

  /// The largest R-hat and the smallest effective sample size of any quantity that is not of the
  /// sampler; no_figure where one has none.
  double r_hat() const;
  double effective_samples() const;
  /// The quantity with the fewest effective samples, or with none; nullptr without quantities.
  const QuantityDiagnostics* worst() const;
};

/// Of `reports`, sorted by chains, and each chain's by items. `names`: of the quantities.
Convergence convergence_of(std::span<const ChainReport> reports,
                           std::span<const std::string> names);

/// Whether all that a chain does in its first `items` items counts, where such `failures` occurred.
bool counts(int chain, std::int64_t items, std::span<const ChainFailure> failures);

/// Without the chains that failed before they had executed `items`, or failed at all.
Convergence convergence_of(std::span<const ChainReport> reports, std::span<const std::string> names,
                           std::span<const ChainFailure> failures,
                           std::int64_t items = std::numeric_limits<std::int64_t>::max());

/// "R-hat 1.023, 412 effective samples (worst: energy)"; empty before there is anything to say.
std::string text_of(const Convergence& found);

/// When chains have observed enough for a run to end. What is 0 is not asked for.
struct StoppingRule {
  double r_hat = 0;              ///< at most, of all quantities
  double effective_samples = 0;  ///< at least

  /// Draws of each chain before anything is judged, and reports where draws are not kept: figures
  /// of fewer are small by chance.
  static constexpr std::int64_t least = 20;

  bool asked() const { return r_hat != 0 || effective_samples != 0; }
  /// Never where a quantity that counts has no figure.
  bool is_met_by(const Convergence& found) const;
};

/// What is reported of the chains of a run.
struct ReportPlan {
  std::int64_t every = 0;    ///< items between two reports; 0: none
  std::int64_t thin = 1;     ///< every so many items end with a draw
  std::int64_t warm_up = 0;  ///< items at the start of a chain whose draws do not count
  bool keep_draws = true;
};

/// What is wrong, and what is allowed.
struct Complaint {
  std::string wrong;
  std::string allowed;
};

/// Why `rule` makes no sense for chains of so many `items`; nothing where it does. It says so, too,
/// where it could never be judged.
std::optional<Complaint> complaint(const StoppingRule& rule, std::span<const std::int64_t> items,
                                   const ReportPlan& plan);

/// The round that is judged after `round` (0: none): the 20th, and then at most twenty while their
/// number doubles, since each looks at all reports.
std::int64_t next_checked(std::int64_t round);

/// Items of the first judged round in which `reports` (sorted as above) are enough; 0 if there is
/// none. Chains that failed before the end of a round do not count in it.
std::int64_t items_until_met(std::span<const ChainReport> reports,
                             std::span<const std::string> names, std::int64_t every,
                             const StoppingRule& enough,
                             std::span<const ChainFailure> failures = {});

/// Takes the reports of all chains and says when they suffice.
///
/// In round r all chains have executed r · every items, or ended. A round is judged once all its
/// reports are there, and by no later ones: the result does not depend on when reports come.
class ConvergenceMonitor {
 public:
  /// `names`: of the quantities. `items` to execute of the chains 0, 1, …, which have executed
  /// `before` (empty: none) and reported `reports`. Each reports after every `every` items and at
  /// its end. `failures`: of chains without items to execute.
  ConvergenceMonitor(std::vector<std::string> names, std::int64_t every, const StoppingRule& enough,
                     std::span<const std::int64_t> items, std::span<const std::int64_t> before = {},
                     std::vector<ChainReport> reports = {},
                     std::vector<ChainFailure> failures = {});

  /// In any order. Without samples it tells only how far its chain is. `ended`: the chain's last.
  void add(ChainReport report, bool ended);

  /// A chain has failed. It does not count in rounds that it has not completed.
  void add(ChainFailure failure);

  /// Whether all chains have ended and all their reports are there.
  bool complete() const { return going_on_ == 0; }

  /// Items of the last round that is complete; 0 before the first.
  std::int64_t items() const { return (round_ - 1) * every_; }

  Convergence found() const;

  /// Items of the first round in which the chains had observed enough; 0 where there is none yet.
  std::int64_t enough_items() const { return enough_items_; }

  /// Those that count: up to enough_items(), if there is such a round.
  std::vector<ChainReport> reports() const;

  /// The chains at enough_items(), which must not be 0, but for those that have failed before.
  std::vector<ChainEnd> ends() const;

 private:
  struct OfChain {
    std::map<std::int64_t, ChainReport> reports;  // by items
    std::int64_t told = 0;                        // the last round up to which all are there
    std::int64_t ended_at = -1;                   // items
    bool complete = false;
  };

  /// Notes what `change` makes of the chain.
  template <class Change>
  void update(int chain, Change change);
  void end_round();
  std::size_t chains_behind() const;
  bool is_ready() const { return behind_ == 0 && items() < most_items_; }
  std::vector<ChainReport> reports_up_to(std::int64_t items) const;

  std::vector<std::string> names_;
  std::int64_t every_;
  StoppingRule enough_;
  std::vector<OfChain> chains_;
  std::vector<ChainFailure> failures_;
  std::int64_t round_ = 1;       // the next to be complete
  std::int64_t judged_;          // the next to be judged
  std::size_t behind_ = 0;       // chains that have not come to its end
  std::size_t going_on_ = 0;     // chains that are not complete
  std::int64_t most_items_ = 0;  // that a chain has executed
  std::int64_t enough_items_ = 0;
};

}  // namespace regroup
