// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace regroup {

/// A mistake of the user's: one message with its location and what is allowed. Exit code 2.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A temporary failure outside of Regroup, such as a busy scheduler. Exit code 75.
class TemporaryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  static constexpr int exit_code = 75;  ///< EX_TEMPFAIL of sysexits.h
};

/// The first byte in a text that is not UTF-8, or control character.
struct TextFault {
  std::size_t at;    ///< its place
  std::string what;  ///< "byte 0xE9 is not UTF-8", "control character U+001B"
};

/// … in `text`, where the control characters in `allowed` are no fault.
std::optional<TextFault> fault_in(std::string_view text, std::string_view allowed = "");

/// `text` without the byte order mark that some editors write.
std::string_view without_byte_order_mark(std::string_view text);

/// `text` in one line: what is no plain text, and ends of lines, become U+FFFD.
std::string one_line(std::string_view text);

}  // namespace regroup
