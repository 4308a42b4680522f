// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

#include "jobs/records/record.hpp"
#include "jobs/verify/faults.hpp"
#include "kernel/files/csv_reader.hpp"

namespace regroup {

/// Compares what the chains of the runs of a directory came to. Runs of the same walkers with the
/// same items and random numbers must agree, whatever balanced their load and on however many
/// ranks.
class ChainsCheck {
 public:
  ChainsCheck(std::string path, Faults& faults) : path_(std::move(path)), faults_(faults) {}

  /// The next row of runs.csv, and what it tells.
  void compare(const CsvRow& row, const Record& record);

 private:
  struct First {
    std::string run;
    std::string hash;
  };

  std::string path_;
  Faults& faults_;
  std::map<std::string, First> first_;  // by all that chains depend on
};

}  // namespace regroup
