// SPDX-License-Identifier: BSD-3-Clause
//
// Observations of Markov chains, convergence diagnostics, and stopping rules. Needs no MPI.
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

/// Number, mean and dispersion of samples, without loss of digits if the mean is large.
/// Sources: Welford, Technometrics 4, 1962; Chan, Golub and LeVeque, The American Statistician 37,
/// 1983.
struct Moments {
  std::int64_t samples = 0;
  double mean = 0;
  double squared_deviations = 0;  ///< sum of the squared deviations from the mean
  double mean_rest = 0;           ///< correction to be added to `mean`

  void add(double sample) {
    ++samples;
    const double off = (sample - mean) - mean_rest;
    move_mean(off / static_cast<double>(samples));
    squared_deviations += off * ((sample - mean) - mean_rest);
  }
  Moments& operator+=(const Moments& other);
  /// Returns the moments without the correction, as in reports.
  Moments rounded() const { return {samples, mean, squared_deviations}; }
  /// Sample variance; 0 for fewer than two samples.
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

/// Whether the quantity describes the sampler itself, marked as in Stan: "accept_stat__". Stopping
/// rules ignore such quantities.
inline bool is_of_sampler(std::string_view quantity) { return quantity.ends_with("__"); }

/// Observations of a chain in consecutive items. A draw is the observation of a walker at the end
/// of an item: a number for each quantity.
struct ChainReport {
  int number = 0;          ///< of the chain
  std::int64_t items = 0;  ///< number of items executed by the chain at the end of the report
  std::uint64_t hash = 0;  ///< hash of the results of all items so far
  std::vector<Moments>
      quantities;             ///< moments of the draws, rounded, in the order of the quantities
  std::vector<double> draws;  ///< consecutive draws; empty if draws are not stored

  std::int64_t samples() const { return quantities.empty() ? 0 : quantities.front().samples; }
  friend bool operator==(const ChainReport&, const ChainReport&) = default;
};

/// Writes one line of JSON, and reads it. Throws if `text` is not a report.
std::string to_json(const ChainReport& report);
ChainReport report_from_json(const std::string& text);

/// The result of a chain.
struct ChainEnd {
  int number = 0;          ///< of the chain: 0, 1, … in the run
  std::int64_t items = 0;  ///< number of executed items
  std::uint64_t hash = 0;  ///< hash of the last state and of the results of all items
  friend bool operator==(const ChainEnd&, const ChainEnd&) = default;
};

/// A chain that ended with an error.
struct ChainFailure {
  int number = 0;         ///< of the chain
  std::int64_t item = 0;  ///< the item that failed, equal to the number of items executed before it
  std::string reason;     ///< in one line
  friend bool operator==(const ChainFailure&, const ChainFailure&) = default;
};

/// Value of figures that are undefined: the quantity does not vary, or there are too few draws.
inline constexpr double no_figure = std::numeric_limits<double>::quiet_NaN();

/// Statistics of one quantity over all chains; each may be `no_figure`.
struct Diagnostics {
  double mean = no_figure;
  double sd = no_figure;        ///< standard deviation of all draws
  double r_hat = no_figure;     ///< near 1 if chains agree; may be infinite
  double bulk_ess = no_figure;  ///< effective sample size of the rank-normalised draws
  double tail_ess = no_figure;  ///< effective sample size of the 5 % and 95 % quantiles (minimum)
  double mcse = no_figure;      ///< Monte Carlo standard error of the mean
};

struct QuantityDiagnostics : Diagnostics {
  std::string name;

  /// The smaller of the two effective sample sizes, or the only one that is defined.
  double effective_samples() const;
};

/// Statistics of chains that sample the same distribution. Chains of unequal length are cut to the
/// length of the shortest: only their first draws and reports are used.
///
/// If draws are stored, statistics are computed from them: R-hat is the maximum of the
/// rank-normalised split R-hat and the folded one. Source: Vehtari, Gelman, Simpson, Carpenter and
/// Bürkner, Bayesian Analysis 16, 2021.
///
/// Otherwise, batch statistics are computed from the moments of reports. R-hat compares the halves
/// of chains, without ranks. Source: Gelman et al., Bayesian Data Analysis, 3rd edition, 2013,
/// section 11.4. The effective sample size is conservative: it is based on the largest variance
/// estimate from means of 1, 2, 4, … reports and from means of chains. There is none for tails.
/// Source: Flegal, Haran and Jones, Statistical Science 23, 2008 (batch means).
///
/// For a quantity that does not vary in some chain, only mean and standard deviation are defined.
struct Convergence {
  bool of_draws = false;       ///< whether computed from draws, not from reports
  std::size_t chains = 0;      ///< number of chains used
  std::int64_t per_chain = 0;  ///< number of draws used of each chain; of reports if not of_draws
  std::vector<QuantityDiagnostics> quantities;

  /// Largest R-hat and smallest effective sample size over all quantities that do not describe the
  /// sampler; no_figure if undefined for one of them.
  double r_hat() const;
  double effective_samples() const;
  /// The quantity with the smallest or undefined effective sample size; nullptr without quantities.
  const QuantityDiagnostics* worst() const;
};

/// Computes the statistics of `reports`, sorted by chain, then by items. `names`: names of the
/// quantities.
Convergence convergence_of(std::span<const ChainReport> reports,
                           std::span<const std::string> names);

/// Whether the first `items` items of a chain count, given `failures`.
bool counts(int chain, std::int64_t items, std::span<const ChainFailure> failures);

/// Excludes chains that failed before they had executed `items` items, or all failed chains.
Convergence convergence_of(std::span<const ChainReport> reports, std::span<const std::string> names,
                           std::span<const ChainFailure> failures,
                           std::int64_t items = std::numeric_limits<std::int64_t>::max());

/// "R-hat 1.023, 412 effective samples (worst: energy)"; empty if nothing is defined yet.
std::string text_of(const Convergence& found);

/// Rule that ends a run when its chains have converged. Conditions that are 0 are ignored.
struct StoppingRule {
  double r_hat = 0;              ///< upper limit for all quantities
  double effective_samples = 0;  ///< lower limit for all quantities

  /// Minimum number of draws of each chain (of reports, if draws are not stored) before the rule is
  /// evaluated, because statistics of fewer are small by chance.
  static constexpr std::int64_t least = 20;

  bool asked() const { return r_hat != 0 || effective_samples != 0; }
  /// Never met if the statistics of a quantity that counts are undefined.
  bool is_met_by(const Convergence& found) const;
};

/// Contents of the reports of a run.
struct ReportPlan {
  std::int64_t every = 0;    ///< items between two reports; 0: none
  std::int64_t thin = 1;     ///< items between two draws
  std::int64_t warm_up = 0;  ///< items at the start of a chain whose draws are discarded
  bool keep_draws = true;
};

/// The error, and the allowed values.
struct Complaint {
  std::string wrong;
  std::string allowed;
};

/// Reason why `rule` is invalid for chains with `items` items, or could never be evaluated; empty
/// if it is valid.
std::optional<Complaint> complaint(const StoppingRule& rule, std::span<const std::int64_t> items,
                                   const ReportPlan& plan);

/// The next round after `round` (0: none) in which the rule is evaluated: round 20, and then at
/// most twenty while the number of rounds doubles, because each evaluation uses all reports.
std::int64_t next_checked(std::int64_t round);

/// Items of the first evaluated round in which `reports` (sorted as above) meet the rule; 0 if
/// there is none. Chains that failed before the end of a round are excluded from it.
std::int64_t items_until_met(std::span<const ChainReport> reports,
                             std::span<const std::string> names, std::int64_t every,
                             const StoppingRule& enough,
                             std::span<const ChainFailure> failures = {});

/// Collects the reports of all chains and evaluates the stopping rule.
///
/// In round r, all chains have executed r · every items, or ended. A round is evaluated when all
/// its reports have arrived, without later reports, so the result does not depend on the order of
/// arrival.
class ConvergenceMonitor {
 public:
  /// `names`: of the quantities. `items`: items to execute of the chains 0, 1, …, which have
  /// already executed `before` (empty: none) and sent `reports`. Each chain reports after every
  /// `every` items and at its end. `failures`: of chains without items to execute.
  ConvergenceMonitor(std::vector<std::string> names, std::int64_t every, const StoppingRule& enough,
                     std::span<const std::int64_t> items, std::span<const std::int64_t> before = {},
                     std::vector<ChainReport> reports = {},
                     std::vector<ChainFailure> failures = {});

  /// Reports may arrive in any order. A report without samples only contains the progress of its
  /// chain. `ended`: last report of the chain.
  void add(ChainReport report, bool ended);

  /// Records a failed chain; rounds that it has not completed exclude it.
  void add(ChainFailure failure);

  /// Whether all chains have ended and all their reports have arrived.
  bool complete() const { return going_on_ == 0; }

  /// Items of the last complete round; 0 before the first.
  std::int64_t items() const { return (round_ - 1) * every_; }

  Convergence found() const;

  /// Items of the first round that met the rule; 0 if there is none yet.
  std::int64_t enough_items() const { return enough_items_; }

  /// The reports that count: up to enough_items(), if it is not 0.
  std::vector<ChainReport> reports() const;

  /// The chains at enough_items(), which must not be 0, without chains that failed earlier.
  std::vector<ChainEnd> ends() const;

 private:
  struct OfChain {
    std::map<std::int64_t, ChainReport> reports;  // by items
    std::int64_t told = 0;                        // last round up to which all have arrived
    std::int64_t ended_at = -1;                   // number of items; -1: not ended
    bool complete = false;
  };

  /// Applies `change` to the chain, and ends all rounds that are then complete.
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
  std::int64_t round_ = 1;       // first incomplete round
  std::int64_t judged_;          // next round in which the rule is evaluated
  std::size_t behind_ = 0;       // chains that have not completed round_
  std::size_t going_on_ = 0;     // incomplete chains
  std::int64_t most_items_ = 0;  // largest number of items of a report
  std::int64_t enough_items_ = 0;
};

}  // namespace regroup
