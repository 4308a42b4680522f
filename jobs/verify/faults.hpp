// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace regroup {

/// What is wrong with results, and what could not be checked in them.
class Faults {
 public:
  /// `line` 0: the file as a whole.
  void add(const std::string& path, std::size_t line, const std::string& what);

  /// Something that could not be checked; what is said several times is told once, with its number.
  void unchecked(const std::string& what, std::size_t times = 1) { unchecked_[what] += times; }

  void add(const Faults& others);

  std::size_t count() const { return count_; }

  /// The first twenty, and what could not be checked.
  void print() const;

 private:
  std::size_t count_ = 0;
  std::vector<std::string> first_;
  std::map<std::string, std::size_t> unchecked_;
};

}  // namespace regroup
