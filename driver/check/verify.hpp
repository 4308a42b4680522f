// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "regroup/catalog.hpp"

namespace regroup {

/// What is wrong with results, and what could not be checked in them.
class Faults {
 public:
  /// `line` 0: the file as a whole.
  void add(const std::string& path, std::size_t line, const std::string& what);

  /// Something that could not be checked; what is said several times is told once, with its number.
  void unchecked(const std::string& what) { ++unchecked_[what]; }

  void add(const Faults& others);

  std::size_t count() const { return count_; }

  /// The first twenty, and what could not be checked.
  void print() const;

 private:
  std::size_t count_ = 0;
  std::vector<std::string> first_;
  std::map<std::string, std::size_t> unchecked_;
};

/// Checks the results in `directory`: computes what rows say from the events, samples and reports,
/// checks that the events are possible, and simulates runs in virtual time again. Prints what is
/// wrong. Returns the exit code, 1 where something is wrong. Throws UserError where a file is none
/// of Regroup's.
int verify(const std::string& directory, const Catalog& catalog);

}  // namespace regroup
