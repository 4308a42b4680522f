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

/// Recorded item times of chains.
class Recording {
 public:
  /// Consecutive items of a chain with equal times.
  struct Stretch {
    std::int64_t items;
    double seconds;  ///< time of each item
    int ranks;       ///< number of ranks that executed it
  };
  using Chain = std::vector<Stretch>;

  explicit Recording(std::vector<Chain> chains);

  Items items() const;  ///< number of items of each chain

  /// Returns the stretch of the next item of `chain` when it has `items_left` items left, including
  /// this one; the first stretch if fewer items were recorded.
  const Stretch& stretch(std::size_t chain, std::int64_t items_left) const;

  /// Returns the stretches of the last `items` items of `chain`, or all if it has fewer.
  Chain last(std::size_t chain, std::int64_t items) const;

  const std::vector<Chain>& chains() const { return chains_; }

 private:
  std::vector<Chain> chains_;
  std::vector<std::vector<std::int64_t>> left_;  // items left at the start of each stretch
};

/// Reads `file`: CSV with the columns chain, item, seconds and optionally ranks; an events.csv; or
/// JSON of DARMA/vt, in which a phase of a task is an item of a chain. `run`: number of the run in
/// an events.csv from 1; 0: the only one. Throws UserError with the file, and if possible the line,
/// if it has another format.
Recording read_recording(const std::string& file, int run);

/// Returns all files of the recording `file`. For NAME.0.json, these are the files NAME.N.json of
/// all processes N of vt.
std::vector<std::string> files_of_recording(const std::string& file);

// Functions of the row in the list of workloads.

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

/// Throws std::invalid_argument if the number of chains differs from the number of `groups`.
Items recorded(const Options& options, Groups groups, std::uint64_t seed);

/// Returns the recording that the options name. It is read again only if its files have changed.
std::shared_ptr<const Recording> recording(const Options& options);

}  // namespace regroup
