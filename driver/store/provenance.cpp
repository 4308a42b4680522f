// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/provenance.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <nlohmann/json.hpp>
#include <vector>

#include "kernel/files/files.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/files/yaml.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/places/host.hpp"
#include "kernel/text/plain_text.hpp"
#include "library/build_info.hpp"
#include "library/version.hpp"
#include "regroup/numbers.hpp"
#include "regroup/outcome.hpp"

namespace regroup {
namespace {

/// Returns `value` in one line, with U+FFFD for bytes that are not valid UTF-8.
std::string dumped(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// The keys of a document that may influence results. The key of a map includes all its entries.
constexpr std::array circumstance_keys{"version", "compiler",    "mpi",       "launcher",
                                       "program", "environment", "inherited", "processor",
                                       "cores",   "nice"};

/// Prefixes of environment variables that MPI libraries and Regroup's wrapper read.
constexpr auto variables = std::to_array<std::string_view>(
    {"LD_LIBRARY_PATH=", "LD_PRELOAD=", "MPIR_CVAR_", "MPICH_", "UCX_", "FI_", "OMPI_MCA_",
     "I_MPI_", "REGROUP_LONGEST_NAP_US="});

Circumstances circumstances_of(const ConfigNode& document) {
  Circumstances found;
  for (const auto& [key, value] : document.pairs) {
    if (std::ranges::find(circumstance_keys, key.text) == circumstance_keys.end()) continue;
    if (value.kind == ConfigNode::Kind::scalar) found[key.text] = value.text;
    for (const auto& [name, text] : value.pairs) {
      found[fmt::format("{} {}", key.text, name.text)] = text.text;
    }
  }
  return found;
}

}  // namespace

std::string in_json(const std::string& text) { return dumped(text); }

std::string provenance(const Configuration& configuration, const std::string& launcher,
                       const std::string& command, int invocation) {
  utsname system{};
  uname(&system);
  const std::string processor = processor_model();
  const ProgramVersion built = program_version();
  nlohmann::ordered_json document{
      {"invocation", invocation},
      {"schema", schema},
      {"version", built.version},
      {"commit", built.commit},
      {"tree", built.tree},
      {"compiler", compiler},
      {"mpi", mpi_library},
      {"launcher", launcher},
      {"environment", configuration.environment},
      {"inherited", variables_with(variables, environ)},
      {"host", one_line(system.nodename)},
      {"system", fmt::format("{} {} {}", system.sysname, system.release, system.machine)},
      {"processor", processor.empty() ? "unknown" : one_line(processor)},
      {"cores", sysconf(_SC_NPROCESSORS_ONLN)},
      {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
      {"command", one_line(command)},
      {"experiment", configuration.name},
      {"configuration_file", configuration.file},
      {"configuration_hash", hash_text(configuration.text)},
      {"configuration", configuration.text}};
  if (!configuration.program.empty()) document["program"] = configuration.program;
  if (const int nice = getpriority(PRIO_PROCESS, 0); nice != 0) document["nice"] = nice;
  std::string text = "---\n";
  for (const auto& [key, value] : document.items()) {
    text += fmt::format("{}: {}\n", key, dumped(value));
  }
  return text;
}

std::vector<ProvenanceDocument> documents_in(const std::string& text, const std::string& path) {
  std::vector<ProvenanceDocument> all;
  std::set<int> invocations;
  std::size_t begin = 0;
  for (const ConfigNode& node : parse_yaml(text, path, YamlLimits::of_text(text))) {
    ProvenanceDocument document{0, node.line, {}, {}, circumstances_of(node)};
    for (const auto& [key, value] : node.pairs) document.values[key.text] = value.text;
    document.invocation = parse<int>(document.values["invocation"]).value_or(0);
    if (document.invocation < 1) {
      throw UserError(
          fmt::format("{}:{}: a document without the number of its invocation", path, node.line));
    }
    if (!invocations.insert(document.invocation).second) {
      throw UserError(fmt::format("{}:{}: invocation {} for the second time", path, node.line,
                                  document.invocation));
    }
    // Values are JSON, so no other line is "---".
    const std::size_t end = std::min(text.find("\n---\n", begin), text.size() - 1) + 1;
    document.text = text.substr(begin, end - begin);
    begin = end;
    all.push_back(std::move(document));
  }
  return all;
}

std::vector<ProvenanceDocument> read_documents(const std::string& directory) {
  const std::string path = directory + "/provenance.yaml";
  const auto text = read_file(path);
  if (!text) throw UserError(fmt::format("{}: is missing", path));
  return documents_in(*text, path);
}

std::map<int, Circumstances> read_circumstances(const std::string& directory) {
  std::map<int, Circumstances> all;
  if (!file_exists(directory + "/provenance.yaml")) return all;
  for (ProvenanceDocument& document : read_documents(directory)) {
    all.emplace(document.invocation, std::move(document.circumstances));
  }
  return all;
}

std::map<int, std::string> differences(const std::map<int, Circumstances>& known,
                                       const std::set<int>& used) {
  std::map<std::string, std::set<std::string>> values;  // of each circumstance
  const auto value = [&](int invocation, const std::string& name) {
    const Circumstances& own = known.at(invocation);
    const auto found = own.find(name);
    return fmt::format("{} {}", one_line(name),
                       found == own.end() ? "unset" : one_line(found->second));
  };
  for (const auto& [invocation, own] : known) {
    if (!used.contains(invocation)) continue;
    for (const auto& [name, text] : own) values[name];
  }
  for (auto& [name, all] : values) {
    for (const int invocation : used) {
      if (known.contains(invocation)) all.insert(value(invocation, name));
    }
  }
  std::map<int, std::string> words;
  for (const int invocation : used) {
    std::vector<std::string> own;
    if (!known.contains(invocation) && used.size() > 1) {
      own.push_back(fmt::format("circumstances of invocation {} unknown", invocation));
    }
    for (const auto& [name, all] : values) {
      if (all.size() > 1 && known.contains(invocation)) own.push_back(value(invocation, name));
    }
    words[invocation] = fmt::format("{}", fmt::join(own, ", "));
  }
  return words;
}

void check_circumstances(const Results& results, const std::map<int, Circumstances>& known,
                         const Circumstances& ours, int own) {
  for (const int earlier : results.invocations()) {
    std::map<int, Circumstances> both{{own, ours}};
    if (known.contains(earlier)) both.emplace(earlier, known.at(earlier));
    const auto words = differences(both, {earlier, own});
    if (words.at(earlier).empty()) continue;
    throw UserError(fmt::format(
        "{} contains results of other circumstances: {}, now {}; --mixed adds to them (tables list "
        "them separately), --overwrite deletes them, --out selects another directory",
        results.directory(), words.at(earlier), words.at(own)));
  }
}

}  // namespace regroup
