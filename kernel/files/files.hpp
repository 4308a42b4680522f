// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

namespace regroup {

/// The content of the file `path`, or nothing where it cannot be read; errno then says why.
std::optional<std::string> read_file(const std::string& path);

/// Whether there is something at `path`; not where it can be no path at all.
bool is_there(const std::string& path);

/// The same, for what somebody on another host may have made just now in a directory that hosts
/// share: there, a file that was looked for before may seem absent for some time.
bool is_there_by_now(const std::string& path);

/// What keeps `path` from being a file that runs read, who read it often: "cannot be read", "is no
/// regular file", "is larger than 100 MB". Empty where nothing does.
std::string input_complaint(const std::string& path);

}  // namespace regroup
