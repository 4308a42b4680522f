// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "regroup/options.hpp"
#include "regroup/workload.hpp"

namespace regroup {

/// Items of chains, with the times that they took elsewhere.
class Recording {
 public:
  /// Consecutive items of a chain that took equally long.
  struct Stretch {
    std::int64_t items;
    double seconds;  ///< of each
    int ranks;       ///< that executed it
  };
  using Chain = std::vector<Stretch>;

  explicit Recording(std::vector<Chain> chains);

  Items items() const;  ///< of each chain

  /// The stretch with the item of `chain` after which it has `items_left` - 1 items; of a longer
  /// chain, its first one.
  const Stretch& stretch(std::size_t chain, std::int64_t items_left) const;

  /// The stretches with the last `items` of `chain`, or with all where it has fewer.
  Chain last(std::size_t chain, std::int64_t items) const;

  const std::vector<Chain>& chains() const { return chains_; }

 private:
  std::vector<Chain> chains_;
  std::vector<std::vector<std::int64_t>> left_;  // items of a chain from each stretch on
};

/// What `file` contains: CSV with the columns chain, item, seconds and perhaps ranks; an
/// events.csv, of which `run` is the one to take, counted from 1 on, or 0 where there is one alone;
/// or JSON of DARMA/vt, where a phase of a task is an item of a chain. Throws UserError, with the
/// file and where possible the line, if it is none of them.
Recording read_recording(const std::string& file, int run);

/// All files that belong to such a file: the process N of vt writes NAME.N.json, and who names the
/// first of them means all.
std::vector<std::string> files_of_recording(const std::string& file);

// The row of workloads.

inline constexpr std::array recorded_options{
    file_option("recorded_file",
                "file with item times, of one of three kinds: a CSV file with the columns `chain`, "
                "`item`, `seconds` and, optionally, `ranks`; an events.csv of Regroup; or "
                "NAME.0.json of the load balancer DARMA/vt. In the last case, NAME.1.json and so "
                "on must be in the same directory."),
    integer_option("recorded_run", "0", 0, 1e6,
                   "number of the run in an events.csv, counted from 1. If 0, the file must "
                   "contain a single run."),
};

/// Throws std::invalid_argument if there is another number of chains than of `groups`.
Items recorded(const Options& options, Groups groups, std::uint64_t seed);

/// The recording that the options name, which is read once as long as its files do not change.
std::shared_ptr<const Recording> recording(const Options& options);

}  // namespace regroup
