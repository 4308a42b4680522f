// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/definitions/draw.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "jobs/words/plot_script.hpp"
#include "kernel/files/user_error.hpp"
#include "kernel/files/write_file.hpp"

namespace regroup {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

int draw_groups(AskedDefinitions asked, const AskedPicture& picture) {
  asked.json = true;
  const Drawer drawer(groups_of_file(asked));
  const std::string output =
      picture.output.empty() ? fs::path(asked.file).replace_extension().string() : picture.output;
  std::vector<std::string> words{
      plot_script("groups.py", "; 'regroup groups check --format json' prints what it reads"),
      drawer.file(), "--output", output};
  if (picture.columns > 0) {
    words.insert(words.end(), {"--columns", std::to_string(picture.columns)});
  }
  if (!picture.names.empty()) words.insert(words.end(), {"--names", picture.names});
  return run_script(std::move(words));
}

}  // namespace regroup
