// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/words/plot_script.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "kernel/files/user_error.hpp"

namespace regroup {

namespace fs = std::filesystem;

std::string plot_script(const std::string& name, const std::string& instead) {
  const fs::path own = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& plots :
       {own.parent_path() / "plots", own.parent_path() / "share" / "regroup" / "plots"}) {
    if (fs::exists(plots / name)) return (plots / name).string();
  }
  throw UserError(fmt::format("no plots/{} beside {}{}", name, own.string(), instead));
}

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

}  // namespace regroup
