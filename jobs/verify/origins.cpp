// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/verify/origins.hpp"

#include <fmt/format.h>

#include <limits>

#include "jobs/configuration/experiment_reader.hpp"
#include "jobs/version.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/numbers/hash.hpp"

namespace regroup {
namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

std::string text_of(const ConfigNode& document, std::string_view wanted) {
  for (const auto& [key, value] : document.pairs) {
    if (key.text == wanted) return value.text;
  }
  return {};
}

std::unordered_set<std::uint64_t> names_in(const Experiment& experiment) {
  std::unordered_set<std::uint64_t> names;
  for (std::size_t i = 0; i < experiment.size(); ++i) {
    names.insert(hash_from(fingerprint(experiment.at(i))).value());
  }
  return names;
}

}  // namespace

Origins::Origins(const std::string& directory, Faults& faults) : faults_(faults) {
  const std::string path = directory + "/provenance.yaml";
  const auto text = read_file(path);
  if (!text) {
    faults.add(path, 0, "there is no such file");
    return;
  }
  for (const ConfigNode& document : parse_yaml(*text, path, {no_limit, no_limit, 8})) {
    Invocation invocation{text_of(document, "version"), text_of(document, "configuration_file"),
                          text_of(document, "configuration")};
    const auto line = static_cast<std::size_t>(document.line);
    if (text_of(document, "configuration_hash") != hash_text(invocation.configuration)) {
      faults.add(path, line, "the configuration is not the one that configuration_hash is of");
    }
    if (text_of(document, "schema") != std::to_string(schema)) {
      faults.add(path, line,
                 fmt::format("schema is '{}', but the rows are of schema {}",
                             text_of(document, "schema"), schema));
    }
    const std::string number = text_of(document, "invocation");
    for (const auto& [key, value] : document.pairs) {
      if (key.text != "changed_before") continue;
      for (const ConfigNode& file : value.items) {
        faults.unchecked(fmt::format(
            "what cannot be computed anew of rows before invocation {}: {} had been changed then",
            number, file.text));
      }
    }
    numbered_ = numbered_ || !number.empty();
    if (!invocations_.emplace(number, std::move(invocation)).second) {
      faults.add(path, line, fmt::format("invocation {} stands there before", number));
    }
  }
}

void Origins::check(const CsvRow& row, bool settled) {
  const auto wrong = [&](const std::string& what) {
    faults_.add(row.path, row.line, fmt::format("run {}: {}", row["run"], what));
  };
  if (invocations_.empty()) return;  // which was said
  if (!numbered_ || !row.has("invocation")) {
    return faults_.unchecked(
        fmt::format("which invocation of regroup wrote the rows of {}", row.path));
  }
  const auto found = invocations_.find(row["invocation"]);
  if (found == invocations_.end()) {
    return wrong(fmt::format("invocation is '{}', of which provenance.yaml does not know",
                             row["invocation"]));
  }
  if (row["regroup_version"] != found->second.version) {
    wrong(fmt::format("version is '{}', but that of invocation {} is '{}'", row["regroup_version"],
                      row["invocation"], found->second.version));
  }
  const Names& names = names_of(found->second);
  if (!settled || !names) {
    faults_.unchecked(fmt::format("whether rows of {} are of the configuration", row.path));
  } else if (!names->contains(hash_from(row["run"]).value_or(0))) {
    wrong(fmt::format("the configuration of invocation {} has nothing of this name",
                      row["invocation"]));
  }
}

const Origins::Names& Origins::names_of(const Invocation& invocation) {
  const auto [known, is_new] =
      names_.try_emplace(std::pair(invocation.file, invocation.configuration));
  // Another version may have made something else of it.
  if (!is_new || invocation.version != version) return known->second;
  try {
    known->second = names_in(read_experiment({invocation.file, invocation.configuration}));
  } catch (const UserError&) {
    // A file that it names is gone, or does not fit any more.
  }
  return known->second;
}

}  // namespace regroup
