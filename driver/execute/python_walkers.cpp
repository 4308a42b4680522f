// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/python_walkers.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "kernel/files/files.hpp"
#include "kernel/text/plain_text.hpp"
#include "library/build_info.hpp"
#include "library/described_walkers.hpp"

namespace regroup {
namespace {

using nlohmann::json;

/// Returns the first of `paths` that exists in the folder of this program or the one above.
std::filesystem::path beside(std::initializer_list<const char*> paths) {
  const std::filesystem::path above = this_program().parent_path().parent_path();
  const std::filesystem::path own = this_program().parent_path();
  for (const std::filesystem::path& folder : {own, above}) {
    for (const char* path : paths) {
      if (std::filesystem::exists(folder / path)) return folder / path;
    }
  }
  return {};
}

/// Returns the Python package, in the build tree or installed.
std::filesystem::path package() {
  return beside({"python/regroup", "lib/regroup/python/regroup", "lib64/regroup/python/regroup"});
}

std::filesystem::path wrapper() {
  return beside({"libpolite_progress.so", "wrapped/libpolite_progress.so"});
}

/// A Python process that has loaded a file of walkers and answers each line that it receives.
class Interpreter {
 public:
  explicit Interpreter(const std::string& file) : file_(file) {
    const std::string package = regroup::package();
    if (python.empty() || package.empty()) {
      throw UserError(fmt::format("{}: there is no Python package for {}; see docs/python.md", file,
                                  this_program().string()));
    }
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail();
    const std::string interpreter(python);
    const std::array<const char*, 5> words{interpreter.c_str(), package.c_str(), "describe",
                                           file.c_str(), nullptr};
    child_ = fork();
    if (child_ < 0) fail();
    if (child_ == 0) {
      dup2(ends[1], STDIN_FILENO);
      dup2(ends[1], STDOUT_FILENO);
      execv(words[0], const_cast<char* const*>(words.data()));
      _exit(127);
    }
    close(ends[1]);
    socket_ = ends[0];
  }
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;
  ~Interpreter() {
    close(socket_);
    kill(child_, SIGTERM);
    waitpid(child_, nullptr, 0);
  }

  /// Reads the next line that it writes.
  std::string read() {
    std::size_t end = 0;
    while ((end = unread_.find('\n')) == std::string::npos) {
      std::array<char, 4096> part{};
      const ssize_t got = ::read(socket_, part.data(), part.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        throw UserError(fmt::format("{}: {} ended while it read the walkers", file_, python));
      }
      unread_.append(part.data(), static_cast<std::size_t>(got));
    }
    std::string line = unread_.substr(0, end);
    unread_.erase(0, end + 1);
    return line;
  }

  std::string answer(const std::string& question) {
    const std::string line = question + '\n';
    if (send(socket_, line.data(), line.size(), MSG_NOSIGNAL) < 0) fail();
    return read();
  }

 private:
  [[noreturn]] void fail() const {
    throw UserError(
        fmt::format("{}: {} cannot be started: {}", file_, python, std::strerror(errno)));
  }

  std::string file_;
  pid_t child_ = -1;
  int socket_ = -1;
  std::string unread_;
};

/// The descriptions of the walkers of a file. Only ranks execute their items.
class FileOfWalkers {
 public:
  explicit FileOfWalkers(const std::string& file) : interpreter_(file) {
    description_ = interpreter_.read();
    const json found = json::parse(description_);
    if (found.contains("error")) throw UserError(found["error"].get<std::string>());
  }

  const std::string& description() const { return description_; }

  /// Returns the bytes of the state of a walker with these options. Throws std::invalid_argument if
  /// Python cannot create such a walker.
  std::int64_t state_bytes(const std::string& name, const Options& options) {
    json values = json::object();
    for (const auto& [option, text] : options) values[option] = text;
    const std::string question = json{{"name", name}, {"options", values}}.dump();
    const std::lock_guard one_at_a_time(mutex_);
    auto [known, is_new] = answers_.try_emplace(question);
    if (is_new) known->second = json::parse(interpreter_.answer(question));
    if (known->second.contains("error")) {
      throw std::invalid_argument(known->second["error"].get<std::string>());
    }
    return known->second["bytes"].get<std::int64_t>();
  }

 private:
  Interpreter interpreter_;
  std::string description_;
  std::mutex mutex_;
  std::map<std::string, json> answers_;
};

class WalkerOfRanks final : public Walker {
 public:
  void execute(const Item&, Team&) override {
    throw std::logic_error("this command does not execute Python walkers");
  }
  void pack(Packer&) const override {}
  void unpack(Unpacker&) override {}
};

}  // namespace

std::string walkers_file(int argc, char** argv) {
  constexpr std::string_view option = "--walkers";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") break;
    if (word == option) return i + 1 < argc ? argv[i + 1] : "";
    if (word.starts_with(option) && word[option.size()] == '=') {
      return std::string(word.substr(option.size() + 1));
    }
  }
  const char* inherited = std::getenv("REGROUP_WALKERS");
  return inherited == nullptr ? "" : inherited;
}

void add_python_walkers(Catalog& catalog, const std::string& file) {
  const auto walkers = std::make_shared<FileOfWalkers>(std::filesystem::absolute(file).string());
  const auto state_bytes = [walkers](const std::string& name, const Options& options) {
    return walkers->state_bytes(name, options);
  };
  add_described(catalog, walkers->description(),
                {[state_bytes](const std::string& name, const Options& options, ChainName) {
                   state_bytes(name, options);
                   return std::make_unique<WalkerOfRanks>();
                 },
                 state_bytes});
}

std::vector<std::string> python_rank(const std::string& file, bool wrapped) {
  std::vector<std::string> command;
  if (const std::string library = wrapper(); wrapped && !library.empty()) {
    const char* others = std::getenv("LD_PRELOAD");
    command = {"/usr/bin/env",
               fmt::format("LD_PRELOAD={}{}{}", library, others == nullptr ? "" : ":",
                           others == nullptr ? "" : others)};
  }
  command.insert(command.end(), {std::string(python), package().string(), "rank", file});
  return command;
}

}  // namespace regroup
