// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>

#include "jobs/verify/faults.hpp"
#include "kernel/files/csv_reader.hpp"

namespace regroup {

/// Where the rows of a directory say that they come from: the invocations of the command in
/// provenance.yaml, and what their configurations are of.
class Origins {
 public:
  /// Reads the provenance; what is wrong in it goes to `faults`.
  Origins(const std::string& directory, Faults& faults);

  /// Checks that an invocation wrote `row`, with its version, and that the row is of its
  /// configuration. `settled`: the files that the configuration names are as they were.
  void check(const CsvRow& row, bool settled);

 private:
  /// The names of all that a configuration is of; nothing where that is not known any more.
  using Names = std::optional<std::unordered_set<std::uint64_t>>;

  struct Invocation {
    std::string version;
    std::string file;
    std::string configuration;
  };

  const Names& names_of(const Invocation& invocation);

  Faults& faults_;
  bool numbered_ = false;  // the documents have numbers; those of older versions have none
  std::map<std::string, Invocation> invocations_;
  std::map<std::pair<std::string, std::string>, Names> names_;  // by file and configuration
};

}  // namespace regroup
