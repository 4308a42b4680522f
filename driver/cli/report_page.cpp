// SPDX-License-Identifier: BSD-3-Clause
//
// The scripts of plots/, which lie beside this program or are installed with it.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "driver/cli/commands.hpp"
#include "kernel/files/files.hpp"
#include "kernel/text/plain_text.hpp"

namespace regroup {
namespace {

namespace fs = std::filesystem;

/// The path of plots/NAME of the tree that this program was built in, or of the installation.
/// Throws UserError where there is none.
std::string plot_script(const std::string& name) {
  const fs::path own = this_program().parent_path();
  for (const fs::path& plots :
       {own.parent_path() / "plots", own.parent_path() / "share" / "regroup" / "plots"}) {
    if (fs::exists(plots / name)) return (plots / name).string();
  }
  throw UserError(fmt::format("no plots/{} beside {}", name, own.string()));
}

/// Runs a program, whose path is the first of `words`, on our standard streams. Returns its exit
/// code; 1 where a signal ended it. Throws UserError where it cannot be started.
int run_script(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawn(&child, arguments[0], nullptr, nullptr, arguments.data(), environ);
  if (error != 0) throw UserError(fmt::format("{}: {}", words[0], std::strerror(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

int make_report(const ReportOptions& asked) {
  std::vector<std::string> words{plot_script("report.py")};
  setenv("REGROUP", this_program().c_str(), 1);  // the script asks it for tables
  if (!asked.output.empty()) words.push_back("--output=" + asked.output);
  for (const std::string& run : asked.runs) words.push_back("--run=" + run);
  words.emplace_back("--");
  words.insert(words.end(), asked.directories.begin(), asked.directories.end());
  return run_script(std::move(words));
}

}  // namespace regroup
