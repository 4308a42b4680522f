// SPDX-License-Identifier: BSD-3-Clause
//
// Utilities shared by the fuzz targets. A target is one function that reads hostile bytes; it is
// driven by libFuzzer (preset `fuzz`, clang) or by replay.cpp (preset `sanitize`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

/// Defined by every target: reads the `size` bytes at `data`, and aborts if a check fails.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace regroup::fuzz {

/// Returns the temporary directory of this process, which is removed at normal exit.
const std::string& directory();

/// Writes `text` to the file `name` in directory(); returns its path.
std::string write(std::string_view name, std::string_view text);

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Calls `read`, which reads `path`; returns whether it accepted the file. `read` may throw only a
/// UserError or std::invalid_argument, whose message must begin with `path`.
bool accepted(const std::string& path, const std::function<void()>& read);

/// Calls `read`, which may throw any exception; returns whether it threw none.
bool survived(const std::function<void()>& read);

/// Returns the number of inputs accepted so far.
std::size_t taken();

/// Aborts with the message `what` unless `condition` holds.
void expect(bool condition, std::string_view what);

}  // namespace regroup::fuzz
