// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/provenance.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>

#include "jobs/build_info.hpp"
#include "jobs/mpi_job.hpp"
#include "jobs/version.hpp"
#include "kernel/hash.hpp"
#include "kernel/read_file.hpp"

namespace regroup {
namespace {

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

/// A text as YAML's double-quoted scalar, which JSON's strings are.
std::string quoted(std::string_view text) { return nlohmann::json(text).dump(); }

}  // namespace

std::string provenance(const Configuration& configuration, const std::string& command) {
  utsname system{};
  uname(&system);
  const std::string content = read_file(configuration.file).value_or("");
  const std::string launcher =
      configuration.launcher.empty() ? default_launcher() : configuration.launcher;
  std::string text;
  const auto add = [&](std::string_view key, std::string_view value) {
    fmt::format_to(std::back_inserter(text), "{}: {}\n", key, quoted(value));
  };
  add("version", version);
  add("commit", commit);
  add("tree", tree_is_clean ? "clean" : "with uncommitted changes");
  add("compiler", compiler);
  add("mpi", mpi_library);
  add("launcher", launcher);
  add("host", system.nodename);
  add("system", fmt::format("{} {} {}", system.sysname, system.release, system.machine));
  add("processor", processor());
  fmt::format_to(std::back_inserter(text), "cores: {}\n", sysconf(_SC_NPROCESSORS_ONLN));
  add("date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))));
  add("command", command);
  add("configuration_file", configuration.file);
  add("configuration_hash", hash_text(content));
  add("configuration", content);
  return text;
}

}  // namespace regroup
