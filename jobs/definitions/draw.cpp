// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/definitions/draw.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "kernel/files/user_error.hpp"
#include "kernel/files/write_file.hpp"

namespace regroup {
namespace {

namespace fs = std::filesystem;

/// The script of the tree that this program was built in, or of the installation.
fs::path script() {
  const fs::path own = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& plots :
       {own.parent_path() / "plots", own.parent_path() / "share" / "regroup" / "plots"}) {
    if (fs::exists(plots / "groups.py")) return plots / "groups.py";
  }
  throw UserError(fmt::format(
      "no plots/groups.py beside {}; 'regroup groups check --format json' prints what it reads",
      own.string()));
}

/// A directory of this call's own, with what the script reads.
class Drawer {
 public:
  explicit Drawer(const std::string& content) {
    std::string path = (fs::temp_directory_path() / "regroup-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) {
      throw UserError(fmt::format("{}: {}", path, std::strerror(errno)));
    }
    directory_ = path;
    replace_file(file(), content);
  }
  Drawer(const Drawer&) = delete;
  Drawer& operator=(const Drawer&) = delete;
  ~Drawer() {
    std::error_code nobody_looks;
    fs::remove_all(directory_, nobody_looks);
  }

  std::string file() const { return (directory_ / "groups.json").string(); }

 private:
  fs::path directory_;
};

int run(std::vector<std::string> words) {
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

int draw_groups(AskedDefinitions asked, const AskedPicture& picture) {
  asked.json = true;
  const Drawer drawer(groups_of_file(asked));
  const std::string output =
      picture.output.empty() ? fs::path(asked.file).replace_extension().string() : picture.output;
  std::vector<std::string> words{script().string(), drawer.file(), "--output", output};
  if (picture.columns > 0) {
    words.insert(words.end(), {"--columns", std::to_string(picture.columns)});
  }
  if (!picture.names.empty()) words.insert(words.end(), {"--names", picture.names});
  return run(std::move(words));
}

}  // namespace regroup
