// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/definitions/hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>

#include "kernel/files/user_error.hpp"
#include "kernel/files/yaml.hpp"
#include "kernel/numbers/parse.hpp"

namespace regroup {
namespace {

constexpr int most_ranks = 1 << 24;

/// What stands in one line of a hostfile, or between two commas.
struct Host {
  std::string name;
  int slots = 1;
};

std::optional<Host> host_from(const std::string& text) {
  std::istringstream words(text);
  Host host;
  std::string word;
  words >> host.name;
  std::string slots;
  if (words >> word) {
    constexpr std::string_view before = "slots=";
    if (!word.starts_with(before)) return std::nullopt;
    slots = word.substr(before.size());
  } else if (const auto colon = host.name.rfind(':'); colon != std::string::npos) {
    slots = host.name.substr(colon + 1);
    host.name.resize(colon);
  }
  if (!slots.empty()) {
    const auto number = parse<int>(slots);
    if (!number || *number < 1 || *number > most_ranks) return std::nullopt;
    host.slots = *number;
  }
  if (host.name.empty() || host.name.ends_with(':')) return std::nullopt;
  return host;
}

std::vector<Host> hosts_in(const std::string& hosts) {
  const bool file = std::filesystem::is_regular_file(hosts);
  std::string text = file ? read_plain_text(hosts, 10'000'000, "a hostfile") : hosts;
  if (!file) std::ranges::replace(text, ',', '\n');
  std::vector<Host> all;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line.resize(std::min(line.find('#'), line.size()));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto host = host_from(line);
    if (!host) {
      throw UserError(fmt::format("{}: '{}' is no host; give NAME, NAME:SLOTS or NAME slots=SLOTS",
                                  file ? fmt::format("{}:{}", hosts, number) : "--hosts", line));
    }
    all.push_back(*host);
  }
  return all;
}

}  // namespace

std::vector<std::string> processors_of(const std::string& hosts, int ranks) {
  std::vector<std::string> processors;
  for (const Host& host : hosts_in(hosts)) {
    if (std::ssize(processors) + host.slots > most_ranks) {
      throw UserError(fmt::format("{}: more than {} slots", hosts, most_ranks));
    }
    processors.insert(processors.end(), static_cast<std::size_t>(host.slots), host.name);
  }
  if (processors.empty()) throw UserError(fmt::format("{}: no hosts", hosts));
  if (ranks > std::ssize(processors)) {
    throw UserError(
        fmt::format("{} ranks do not fit into the {} slots of {}; NAME:SLOTS gives a host "
                    "more",
                    ranks, processors.size(), hosts));
  }
  if (ranks > 0) processors.resize(static_cast<std::size_t>(ranks));
  return processors;
}

}  // namespace regroup
