// SPDX-License-Identifier: BSD-3-Clause
//
// What the fuzz targets share. A target is one function that reads hostile bytes; it is driven by
// libFuzzer (preset `fuzz`, clang), or by replay.cpp (preset `sanitize`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

/// What every target defines: reads the `size` bytes at `data`, and aborts where that goes wrong.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace regroup::fuzz {

/// A directory of this process's own, which goes when it ends well.
const std::string& directory();

/// Writes the file `name` there; answers its path.
std::string write(std::string_view name, std::string_view text);

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Calls `read`, which reads `path`; answers whether it took it. It may throw a UserError, or
/// another exception for users, whose message begins with the file; anything else is our fault.
bool accepted(const std::string& path, const std::function<void()>& read);

/// Calls `read`, which may throw whatever it likes; answers whether it did not.
bool survived(const std::function<void()>& read);

/// How many inputs were taken until now.
std::size_t taken();

/// Aborts, and says what is wrong with the input at hand, unless `condition` holds.
void expect(bool condition, std::string_view what);

}  // namespace regroup::fuzz
