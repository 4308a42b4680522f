// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace regroup {

/// Writes output of any length to a file that never becomes larger than about `most_bytes`: of more
/// than these the first half stays, and the last half takes the place of the rest in the end.
class CappedLog {
 public:
  /// `file`, open for appending, is borrowed.
  CappedLog(int file, std::size_t most_bytes);

  void add(std::string_view output);

  /// To be called after all output.
  void finish();

 private:
  void write_to_file(std::string_view text) const;

  int file_;
  std::size_t most_bytes_;
  std::size_t taken_ = 0;  // of the output, in bytes
  std::string last_;  // half as many bytes as may be, from `oldest_` on and then from the start
  std::size_t oldest_ = 0;
};

}  // namespace regroup
