// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "driver/config/experiment.hpp"
#include "driver/store/provenance.hpp"
#include "driver/store/repeated.hpp"
#include "driver/store/results.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/shell_words.hpp"
#include "kernel/text/terminal.hpp"
#include "kernel/text/units.hpp"
#include "regroup/numbers.hpp"

namespace fs = std::filesystem;

namespace regroup {
namespace {

std::string head_of(int invocation) { return fmt::format("---\ninvocation: {}\n", invocation); }

/// Returns the text of a document below the line with its number.
std::string_view rest_of(const ProvenanceDocument& document) {
  return std::string_view(document.text).substr(head_of(document.invocation).size());
}

/// A directory of results that is merged with others.
struct Source {
  std::string directory;
  std::vector<ProvenanceDocument> documents;
  std::set<int> used;          ///< invocations that wrote its rows
  std::map<int, int> numbers;  ///< by invocation, its number in the merged results
};

class Merge {
 public:
  Merge(const MergeOptions& options, const std::vector<std::string>& directories,
        const Catalog& catalog)
      : options_(options),
        catalog_(catalog),
        directories_(directories),
        kind_(kind_in(directories.front(), catalog)),
        tables_(files_of(kind_, catalog)),
        results_(options.into, kind_, catalog) {}

  void run();

 private:
  struct Pick {
    std::size_t source = 0;
    bool ended_well = false;
  };

  void read(const std::string& directory);
  void number_documents();
  void check_alike() const;
  Draft merged(std::size_t table) const;
  void copy_places_and_logs() const;
  void copy_logs(std::size_t source) const;
  void copy_draws(std::size_t source) const;
  void remove_logs() const;
  std::string left_to_do() const;

  const MergeOptions& options_;
  const Catalog& catalog_;
  const std::vector<std::string>& directories_;
  const MeasurementKind* kind_;
  std::vector<TableFile> tables_;
  Results results_;
  bool had_some_ = false;  // results existed before and are the first source
  std::vector<Source> sources_;
  std::vector<ProvenanceDocument> documents_;       // numbered as in the merged results
  std::unordered_map<std::uint64_t, Pick> picked_;  // by run
};

/// Reads the tasks in `directory`, and picks those that are new or the first to end well.
void Merge::read(const std::string& directory) {
  if (kind_in(directory, catalog_) != kind_) {
    throw UserError(fmt::format("{}: contains results of another kind than {}", directory,
                                directories_.front()));
  }
  check_schema(directory);
  check_columns(directory, tables_);
  Source source{directory, read_documents(directory), {}, {}};
  for (const ProvenanceDocument& document : source.documents) {
    if (document.text.starts_with(head_of(document.invocation))) continue;
    throw UserError(fmt::format("{}/provenance.yaml:{}: not in the format that regroup writes",
                                directory, document.line));
  }
  CsvReader reader(directory + "/" + tables_.front().name);
  while (reader.next()) {
    const CsvRow row = reader.row();
    const auto run = hash_from(row["run"]);
    const auto invocation = parse<int>(row["invocation"]);
    const bool known = invocation && std::ranges::count(source.documents, *invocation,
                                                        &ProvenanceDocument::invocation) > 0;
    if (!run || !known) fail_in_row(row, "no fingerprint of a task, or an unknown invocation");
    source.used.insert(*invocation);
    const bool well = row["status"] == "ok";
    const auto [pick, is_new] = picked_.try_emplace(*run, Pick{sources_.size(), well});
    if (!is_new && well && !pick->second.ended_well) pick->second = {sources_.size(), true};
  }
  sources_.push_back(std::move(source));
}

/// Numbers the documents, equal ones alike, so that merging the same results again adds none.
void Merge::number_documents() {
  int last = 0;
  for (Source& source : sources_) {
    for (const ProvenanceDocument& document : source.documents) {
      auto same = std::ranges::find(documents_, rest_of(document), rest_of);
      if (same == documents_.end()) {
        same = documents_.insert(documents_.end(), document);
        const bool keeps = had_some_ && &source == sources_.data();
        if (!keeps) {
          same->invocation = last + 1;
          same->text = fmt::format("{}{}", head_of(last + 1), rest_of(document));
        }
        last = std::max(last, same->invocation);
      }
      source.numbers.emplace(document.invocation, same->invocation);
    }
  }
}

/// Throws UserError if configurations or circumstances of the results differ.
void Merge::check_alike() const {
  std::map<int, Circumstances> known;
  std::map<std::string, std::string> configurations;  // a directory of each, by hash
  std::set<int> used;
  for (const Source& source : sources_) {
    for (const ProvenanceDocument& document : source.documents) {
      if (!source.used.contains(document.invocation)) continue;
      configurations.emplace(document.values.at("configuration_hash"), source.directory);
      const int number = source.numbers.at(document.invocation);
      known.emplace(number, document.circumstances);
      used.insert(number);
    }
  }
  if (configurations.size() > 1) {
    throw UserError(fmt::format(
        "{} and {}: results of different configurations; --mixed merges them nevertheless",
        configurations.begin()->second, configurations.rbegin()->second));
  }
  for (const auto& [number, words] : differences(known, used)) {
    if (words.empty()) continue;
    throw UserError(
        fmt::format("results of different circumstances: {}; --mixed merges them nevertheless, and "
                    "tables list them separately",
                    words));
  }
}

Draft Merge::merged(std::size_t table) const {
  Draft draft(results_.path(tables_[table].name));
  bool has_head = false;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    CsvReader reader(sources_[i].directory + "/" + tables_[table].name);
    if (!has_head) draft.write(csv_line(reader.columns()));
    has_head = true;
    while (reader.next()) {
      const CsvRow row = reader.row();
      const auto pick = picked_.find(hash_from(row["run"]).value_or(0));
      if (pick == picked_.end() || pick->second.source != i) continue;
      if (table > 0) {
        draft.write(reader.text());
        continue;
      }
      std::vector<std::string> fields = row.fields;
      std::string& invocation = fields[row.column("invocation")];
      invocation = std::to_string(sources_[i].numbers.at(std::stoi(invocation)));
      draft.write(csv_line(fields));
    }
  }
  draft.finish();
  return draft;
}

/// Copies the output of runs that did not end well, and their saved states.
void Merge::copy_logs(std::size_t source) const {
  std::error_code nothing_there;
  for (const auto& entry :
       fs::directory_iterator(sources_[source].directory + "/logs", nothing_there)) {
    const std::string file = entry.path().filename();
    const auto run = hash_from(file.substr(0, file.find('.')));
    const auto pick = run ? picked_.find(*run) : picked_.end();
    const fs::path into = fs::path(results_.path("logs")) / file;
    // States of a run without a row: resuming the run continues from them.
    const bool unfinished =
        run && pick == picked_.end() && file.ends_with(".states") && !fs::exists(into);
    if (!unfinished && (pick == picked_.end() || pick->second.source != source)) continue;
    fs::copy(entry.path(), into,
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  }
}

/// Copies the draws of the runs that were picked from `source`.
void Merge::copy_draws(std::size_t source) const {
  std::error_code nothing_there;
  for (const auto& entry :
       fs::directory_iterator(sources_[source].directory + "/draws", nothing_there)) {
    const std::string run = entry.path().filename();
    const auto pick = picked_.find(hash_from(run).value_or(0));
    if (pick == picked_.end() || pick->second.source != source) continue;
    fs::create_directories(results_.path("draws"));
    fs::copy(entry.path(), results_.path("draws/" + run),
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  }
}

/// Removes the output of runs for which another source has a better result.
void Merge::remove_logs() const {
  std::error_code nothing_there;
  for (const auto& entry : fs::directory_iterator(results_.path("logs"), nothing_there)) {
    const auto run = hash_from(entry.path().filename().string().substr(0, 16));
    const auto pick = run ? picked_.find(*run) : picked_.end();
    if (pick != picked_.end() && pick->second.source != 0) fs::remove_all(entry.path());
  }
}

void Merge::copy_places_and_logs() const {
  if (had_some_) remove_logs();
  for (std::size_t i = had_some_ ? 1 : 0; i < sources_.size(); ++i) {
    std::error_code nothing_there;
    for (const auto& entry :
         fs::directory_iterator(sources_[i].directory + "/places", nothing_there)) {
      results_.keep({entry.path().stem(), read_file(entry.path()).value_or("")});
    }
    copy_logs(i);
    copy_draws(i);
  }
}

/// Reports the number of tasks of the newest configuration without a result, and the command that
/// runs them; empty if there are none, or if a file of the configuration cannot be read.
std::string Merge::left_to_do() const {
  const ProvenanceDocument& newest = documents_.back();
  try {
    const std::string& file = newest.values.at("configuration_file");
    const Experiment experiment =
        read_experiment({file, newest.values.at("configuration")}, catalog_);
    Repeated repeated(experiment);
    repeated.read(options_.into);
    std::size_t missing = 0;
    for (std::size_t i = 0; i < experiment.size(); ++i) {
      if (!repeated.needs(i)) continue;
      if (!picked_.contains(hash_from(fingerprint(experiment.at(i))).value())) ++missing;
    }
    if (missing == 0) return {};
    if (std::ranges::any_of(shard_directories(options_.into), [](const std::string& shard) {
          return !holder_of_lock(shard).empty();
        })) {
      return fmt::format("{} of {} still missing: wait for the running shards, then merge again\n",
                         missing, counted(experiment.size(), experiment.noun()));
    }
    return fmt::format(
        "{}{} of {} of the configuration {} missing; to run them:\n{} run {} --out {} --resume\n",
        experiment.repetitions.adaptive() ? "at most " : "", missing,
        counted(experiment.size(), experiment.noun()), missing == 1 ? "is" : "are",
        quoted(program_call()), quoted(file), quoted(options_.into));
  } catch (const UserError&) {
    return {};
  }
}

void Merge::run() {
  had_some_ = results_.exist();
  for (const std::string& directory : directories_) {
    const std::string holder = holder_of_lock(directory);
    if (holder.empty()) continue;
    throw UserError(fmt::format("{}: a sweep is still running there ({}); wait, then merge again",
                                directory, holder));
  }
  std::optional<Lock> lock;
  if (had_some_) {
    lock.emplace(options_.into);
    read(options_.into);
  }
  for (const std::string& directory : directories_) read(directory);
  number_documents();
  if (!options_.mixed) check_alike();
  if (!had_some_) {
    fs::create_directories(options_.into);
    lock.emplace(options_.into);
  }
  std::vector<Draft> drafts;
  for (std::size_t i = 0; i < tables_.size(); ++i) drafts.push_back(merged(i));
  Draft& provenance = drafts.emplace_back(results_.path("provenance.yaml"));
  for (const ProvenanceDocument& document : documents_) provenance.write(document.text);
  provenance.finish();
  for (Draft& draft : drafts) draft.install();
  fs::create_directories(results_.path("logs"));
  copy_places_and_logs();
  const auto well =
      std::ranges::count_if(picked_, [](const auto& p) { return p.second.ended_well; });
  print_out("{}: {} {} from {} director{}, {} of them ok\n{}", options_.into, picked_.size(),
            kind_ == nullptr ? "runs" : "measurements", directories_.size(),
            directories_.size() == 1 ? "y" : "ies", well, left_to_do());
}

/// Returns the directories of shards below `directory`. Skips, with a message, shards that are
/// still running or have no results.
std::vector<std::string> finished_shards(const std::string& directory, const Catalog& catalog) {
  std::vector<std::string> ready;
  for (const std::string& shard : shard_directories(directory)) {
    const std::string holder = holder_of_lock(shard);
    if (!holder.empty()) {
      print_error(
          fmt::format("{}: skipped, because a sweep is still running there ({})", shard, holder));
      continue;
    }
    try {
      kind_in(shard, catalog);
      ready.push_back(shard);
    } catch (const UserError& error) {
      print_error(fmt::format("skipped: {}", error.what()));
    }
  }
  return ready;
}

constexpr std::string_view before_number = "shard-";
constexpr std::string_view before_count = "-of-";

}  // namespace

void merge(const MergeOptions& options, const Catalog& catalog) {
  std::vector<std::string> directories = options.directories;
  if (directories.empty()) directories = finished_shards(options.into, catalog);
  if (directories.empty()) {
    throw UserError(
        fmt::format("{}: nothing to merge: it contains no results of shards (shard-1-of-8, …), and "
                    "no directories are given",
                    options.into));
  }
  std::set<fs::path> seen{fs::weakly_canonical(options.into)};
  for (const std::string& directory : directories) {
    if (seen.insert(fs::weakly_canonical(directory)).second) continue;
    throw UserError(fmt::format("{}: given twice", directory));
  }
  Merge(options, directories, catalog).run();
}

std::string shard_directory(int number, int of) {
  return fmt::format("{}{}{}{}", before_number, number, before_count, of);
}

std::vector<std::string> shard_directories(const std::string& directory) {
  std::vector<std::tuple<int, int, std::string>> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(directory, none)) {
    const std::string file = entry.path().filename();
    const std::string_view name = file;
    const std::size_t middle = name.find(before_count);
    if (!name.starts_with(before_number) || middle == name.npos || !entry.is_directory(none))
      continue;
    const auto number =
        parse<int>(name.substr(before_number.size(), middle - before_number.size()));
    const auto of = parse<int>(name.substr(middle + before_count.size()));
    if (number && of) found.emplace_back(*of, *number, directory + "/" + file);
  }
  std::ranges::sort(found);
  std::vector<std::string> all;
  for (const auto& [of, number, path] : found) all.push_back(path);
  return all;
}

}  // namespace regroup
