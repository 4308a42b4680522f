// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/results/sha256.hpp"

namespace regroup {

/// The file `checksums` in a directory of results: the SHA-256 sum of each file in it, as
/// `sha256sum -c` reads them. It finds out what nothing else tells: a changed wall time, say.
inline constexpr std::string_view checksums_file = "checksums";

/// Keeps that file up to date while others grow.
class Checksums {
 public:
  explicit Checksums(std::string directory) : directory_(std::move(directory)) {}
  Checksums(const Checksums&) = delete;
  Checksums& operator=(const Checksums&) = delete;
  /// Writes the file, or takes it away where it cannot be written.
  ~Checksums();

  /// `file` holds whatever it holds; that alone is no reason to write.
  void reread(const std::string& file);

  /// `file`, which nothing is ever added to, is there: its sum, where none is known, is written at
  /// once.
  void came(const std::string& file);

  /// Which of `files` are not as this object's like left them, as far as they are there;
  /// "checksums" where that cannot be told. `killed`: files may have grown since.
  std::vector<std::string> changed(const std::vector<std::string>& files, bool killed) const;

  /// `text` was added to the end of `file`, which is known.
  void grew(const std::string& file, std::string_view text);

  /// Writes the file; with `at_leisure` only where that was not done within the last second.
  void write(bool at_leisure = false);

  /// Leaves the file as it is, since somebody else now writes here.
  void give_up() { written_ = true; }

  /// Takes the file away: while others are replaced, what it says is not true. What it says of
  /// files that are not known stays.
  void forget();

 private:
  std::string directory_;
  std::map<std::string, Sha256> sums_;
  std::map<std::string, std::string> others_;  // of files that are not known
  bool written_ = true;
  std::chrono::steady_clock::time_point last_;
};

/// The sums that the file of `directory` holds, by the names of their files. Nothing where there is
/// no such file; throws UserError with the line where one in it cannot be.
using SumsByFile = std::map<std::string, std::string>;
SumsByFile read_checksums(const std::string& directory);

/// What a file has to do with a sum of it.
enum class Sameness {
  same,
  grown,  ///< the sum is that of its beginning, up to the end of a line
  changed
};
/// Of a file that can be read.
Sameness compare(const std::string& path, const std::string& sum);

}  // namespace regroup
