// SPDX-License-Identifier: BSD-3-Clause
//
// What a shell may offer while a command line is typed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace regroup {

/// A word that may stand next, and what it means.
struct Candidate {
  std::string word;
  std::string help;
};

/// What may stand instead of the last of `words`, which are those behind the program's name: all
/// that begins with it. Nothing where a path is expected, or anything at all.
std::vector<Candidate> complete(const CLI::App& app, const std::vector<std::string>& words);

/// The script that makes `shell`, one of completed_shells, ask `program` for them.
std::string completion_script(std::string_view shell, const std::string& program);

inline constexpr std::string_view completed_shells[] = {"bash", "zsh", "fish"};

}  // namespace regroup
