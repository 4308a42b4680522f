// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace regroup {

/// An error of the user. The message contains its location and the allowed values. Exit code 2.
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

/// The first invalid UTF-8 byte or control character of a text.
struct TextFault {
  std::size_t at;    ///< index of the byte
  std::string what;  ///< "byte 0xE9 is not UTF-8", "control character U+001B"
};

/// Returns the fault in `text`, if any. `allowed`: control characters that are not a fault.
std::optional<TextFault> fault_in(std::string_view text, std::string_view allowed = "");

/// Returns `text` without the byte order mark that some editors add.
std::string_view without_byte_order_mark(std::string_view text);

/// Returns `text` as one line: invalid UTF-8, control characters and line feeds become U+FFFD.
std::string one_line(std::string_view text);

}  // namespace regroup
