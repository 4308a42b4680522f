// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/merge/source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "jobs/catalog/catalog.hpp"
#include "jobs/results/checksums.hpp"
#include "jobs/results/lock.hpp"
#include "jobs/selection/shard_directories.hpp"
#include "jobs/sweep/result_files.hpp"
#include "jobs/words/console.hpp"
#include "kernel/files/csv_reader.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/files/user_error.hpp"

namespace regroup {
namespace {

void check_columns(const std::string& directory, const std::vector<ResultFile>& tables) {
  for (const ResultFile& table : tables) {
    const std::string path = directory + "/" + table.name;
    if (!is_there(path)) continue;
    if (CsvReader(path).columns() == names_of(table.columns)) continue;
    throw UserError(
        fmt::format("{}:1: another version of regroup wrote it, whose columns differ; results are "
                    "merged by the version that wrote them",
                    path));
  }
}

/// Merging gives files new checksums, and so must not be how a change goes unnoticed.
void check_sums(const std::string& directory, const std::vector<ResultFile>& tables, bool killed) {
  std::vector<std::string> files{"provenance.yaml"};
  for (const ResultFile& table : tables) files.push_back(table.name);
  const auto changed = Checksums(directory).changed(files, killed);
  if (changed.empty()) return;
  if (changed.front() == checksums_file) {
    throw UserError(fmt::format(
        "{0}/{1}: is missing or damaged, so nobody can tell whether the results are as they were "
        "left, and they are not merged; if they are for sure, 'sha256sum *.csv provenance.yaml "
        ">{1}' there says so",
        directory, checksums_file));
  }
  throw UserError(
      fmt::format("{}/{}: not as it was left, and so not merged; 'regroup verify {}' tells more",
                  directory, changed.front(), directory));
}

/// A sweep makes all its files before its first row, so one that is missing was taken away.
void check_all_there(const std::string& directory, const std::vector<ResultFile>& tables,
                     const Inventory& inventory) {
  if (std::ranges::none_of(inventory.tasks(), &Inventory::Task::lost_rows)) return;
  for (const ResultFile& table : tables) {
    const std::string path = directory + "/" + table.name;
    if (is_there(path)) continue;
    throw UserError(
        fmt::format("{}: is missing, and rows of {} lack what belongs to them without it", path,
                    tables.front().name));
  }
}

}  // namespace

bool holds_results(const std::string& directory) {
  if (is_there(directory + "/" + file_of("run"))) return true;
  return std::ranges::any_of(standard_catalog().measurements, [&](const MeasurementKind& kind) {
    return is_there(directory + "/" + file_of(kind.name));
  });
}

std::vector<std::string> finished_shards(const std::string& directory, bool break_lock) {
  std::vector<std::string> ready;
  for (const std::string& shard : shard_directories(directory)) {
    const Held holder = held(shard);
    if (!holder.by.empty() && !break_lock) {
      complain(fmt::format("{}: is left out: a sweep is at work there: {}", shard, holder.by));
    } else if (!holds_results(shard)) {
      complain(fmt::format("{}: is left out: holds no results yet", shard));
    } else {
      ready.push_back(shard);
    }
  }
  return ready;
}

std::string kind_in(const std::string& directory) {
  if (!std::filesystem::is_directory(directory)) {
    throw UserError(fmt::format("{}: there is no such directory", directory));
  }
  std::vector<std::string> kinds;
  const auto look_for = [&](std::string_view kind) {
    if (is_there(directory + "/" + file_of(kind))) kinds.emplace_back(kind);
  };
  look_for("run");
  for (const MeasurementKind& kind : standard_catalog().measurements) look_for(kind.name);
  if (kinds.empty()) throw UserError(fmt::format("{}: holds no results", directory));
  if (kinds.size() > 1) {
    throw UserError(fmt::format("{}: holds results of several kinds, which are not merged: {}",
                                directory, fmt::join(kinds, ", ")));
  }
  return kinds.front();
}

Source read_source(const std::string& directory, std::string_view kind, bool killed) {
  if (const std::string own = kind_in(directory); own != kind) {
    throw UserError(
        fmt::format("{}: holds results of '{}', but the others are of '{}'", directory, own, kind));
  }
  const std::vector<ResultFile> tables = Inventory::tables(files_of(kind));
  check_schema(directory + "/" + tables.front().name);
  check_columns(directory, tables);
  std::vector<Document> documents = read_documents(directory);
  check_sums(directory, tables, killed);
  Source source{directory, tables, Inventory(directory, tables), std::move(documents), {}};
  check_all_there(directory, tables, source.inventory);
  std::set<int> known;
  for (const Document& document : source.documents) known.insert(document.invocation);
  for (const int invocation : source.inventory.invocations()) {
    if (known.contains(invocation)) continue;
    throw UserError(
        fmt::format("{}/provenance.yaml: knows nothing of invocation {}, which wrote "
                    "rows of {}",
                    directory, invocation, tables.front().name));
  }
  return source;
}

void check_alike(const std::vector<Source>& sources) {
  constexpr const char* cure = "--mixed merges them all the same";
  std::map<int, Circumstances> known;
  std::map<int, std::string> homes;            // of invocations, by their new numbers
  std::map<std::string, const Source*> texts;  // of configurations, by their hashes
  std::set<int> used;
  for (const Source& source : sources) {
    const std::set<int> wrote = source.inventory.invocations();
    for (const Document& document : source.documents) {
      if (!wrote.contains(document.invocation)) continue;
      const auto& [hash, first] = *texts.emplace(document.configuration_hash, &source).first;
      if (texts.size() > 1) {
        const Source* other =
            texts.begin()->first == hash ? texts.rbegin()->second : texts.begin()->second;
        throw UserError(other == &source
                            ? fmt::format("{}: holds rows of more than one configuration; {}",
                                          source.directory, cure)
                            : fmt::format("{}: holds rows of another configuration than {}; {}",
                                          source.directory, other->directory, cure));
      }
      const int number = source.numbers.at(document.invocation);
      known.emplace(number, document.circumstances);
      homes.emplace(number, source.directory);
      used.insert(number);
    }
  }
  const auto words = unlike(known, used);
  for (const auto& [number, own] : words) {
    const auto& [first, others] = *words.begin();
    if (own.empty() || own == others) continue;
    throw UserError(fmt::format(
        "{}: holds results of other circumstances than {}: {}, there {}; {}, and tables keep them "
        "apart",
        homes.at(number), homes.at(first), own, others, cure));
  }
}

}  // namespace regroup
