// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/merge/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "jobs/configuration/experiment_reader.hpp"
#include "jobs/launch/command_line.hpp"
#include "jobs/launch/mpi_job.hpp"
#include "jobs/merge/source.hpp"
#include "jobs/records/place_file.hpp"
#include "jobs/results/lock.hpp"
#include "jobs/results/results.hpp"
#include "jobs/sweep/result_files.hpp"
#include "jobs/words/console.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/csv_reader.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/user_error.hpp"
#include "kernel/numbers/hash.hpp"

namespace regroup {
namespace {

namespace fs = std::filesystem;

class Merge {
 public:
  Merge(const MergeOptions& options, std::vector<std::string> directories)
      : options_(options),
        directories_(std::move(directories)),
        kind_(kind_in(directories_.front())),
        results_(options.into, files_of(kind_)) {}

  void run();

 private:
  struct Choice {
    std::size_t source = 0;
    bool ended_well = false;
  };

  void read_sources();
  void number_documents();
  void choose();
  bool takes_nothing() const;
  void prepare_table(std::size_t table);
  void keep_places();
  void copy_logs() const;
  void tell_all() const;
  std::string left_to_do() const;

  const MergeOptions& options_;
  std::vector<std::string> directories_;
  std::string kind_;
  Results results_;
  std::optional<Lock> lock_;
  bool had_some_ = false;  // then the first source is what was there
  std::vector<Source> sources_;
  std::vector<Document> documents_;                // their numbers are those of the merged results
  std::size_t known_documents_ = 0;                // of them, those that were there
  std::map<std::string, std::size_t> placements_;  // that rows name, and a source that has them
  std::unordered_map<std::uint64_t, Choice> chosen_;  // by run
  std::size_t lost_ = 0;      // rows that were there, and are not or in another form afterwards
  std::size_t left_out_ = 0;  // rows that lack what belongs to them
};

void Merge::read_sources() {
  if (had_some_) sources_.push_back(read_source(options_.into, kind_, lock_->taken_over()));
  for (const std::string& directory : directories_) {
    const Held holder = held(directory);
    if (!holder.by.empty() && !options_.break_lock) {
      throw UserError(fmt::format(
          "{}/lock: a sweep is at work there: {}; wait for its end. If it is gone for sure, "
          "--break-lock takes what it left",
          directory, holder.by));
    }
    const bool killed = holder.killed || !holder.by.empty();
    sources_.push_back(read_source(directory, kind_, killed));
  }
  number_documents();
  if (!options_.mixed) check_alike(sources_);
}

/// Equal documents are one: the same results may be merged again, with more.
void Merge::number_documents() {
  int last = 0;
  for (Source& source : sources_) {
    for (const Document& document : source.documents) {
      auto same = std::ranges::find(documents_, document.rest, &Document::rest);
      if (same == documents_.end()) {
        same = documents_.insert(documents_.end(), document);
        const bool keeps = had_some_ && &source == sources_.data();
        if (!keeps) same->invocation = last + 1;
        last = std::max(last, same->invocation);
      }
      source.numbers.emplace(document.invocation, same->invocation);
    }
    if (had_some_ && &source == sources_.data()) known_documents_ = documents_.size();
  }
}

void Merge::choose() {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    for (const Inventory::Task& task : sources_[i].inventory.tasks()) {
      if (task.lost_rows) {
        ++left_out_;
        if (had_some_ && i == 0) ++lost_;
        continue;
      }
      const auto [known, is_new] = chosen_.try_emplace(task.run, Choice{i, task.ended_well});
      if (is_new || known->second.ended_well || !task.ended_well) continue;
      if (had_some_ && known->second.source == 0) ++lost_;
      known->second = {i, true};
    }
  }
}

/// Whether all is there already.
bool Merge::takes_nothing() const {
  return had_some_ && documents_.size() == known_documents_ && left_out_ == 0 &&
         std::ranges::all_of(chosen_, [](const auto& c) { return c.second.source == 0; });
}

void Merge::prepare_table(std::size_t table) {
  const ResultFile& file = sources_.front().tables[table];
  Draft draft(results_.path(file.name));
  draft.write(csv_line(names_of(file.columns)));
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Source& source = sources_[i];
    const std::string path = source.directory + "/" + file.name;
    if (!is_there(path)) continue;
    CsvReader reader(path);
    while (reader.next()) {
      const CsvRow row = reader.row();
      const auto run = chosen_.find(hash_from(row.fields.front()).value());
      if (run == chosen_.end() || run->second.source != i) continue;
      if (table > 0) {
        draft.write(reader.text());
        continue;
      }
      if (const std::string placement = row["placement"]; !placement.empty()) {
        placements_.emplace(placement, i);
      }
      std::vector<std::string> fields = row.fields;
      std::string& invocation = fields[row.column("invocation")];
      invocation = std::to_string(source.numbers.at(std::stoi(invocation)));
      draft.write(csv_line(fields));
    }
  }
  draft.finish();
  const bool loses = table == 0 && lost_ > 0;
  results_.prepare(
      std::move(draft),
      loses ? fmt::format("{} row{}, of which others are better: those ended well, or lack nothing",
                          lost_, lost_ == 1 ? "" : "s")
            : "");
}

/// Where the runs were. A file that is lost stays so: `verify` says it.
void Merge::keep_places() {
  for (const auto& [placement, source] : placements_) {
    const std::string file = place_file_name(placement);
    const auto text = read_file(sources_[source].directory + "/" + file);
    if (text) results_.keep(file, *text);
  }
}

/// What runs that did not end well said, and the states that they left.
void Merge::copy_logs() const {
  const auto into = [&](const fs::directory_entry& entry) {
    return fs::path(results_.path("logs")) / entry.path().filename();
  };
  const auto source_of = [&](const fs::directory_entry& entry,
                             std::size_t source_at_hand) -> std::optional<std::size_t> {
    const std::string file = entry.path().filename();
    const auto run = hash_from(std::string_view(file).substr(0, file.find('.')));
    const auto found = run ? chosen_.find(*run) : chosen_.end();
    if (found != chosen_.end()) return found->second.source;
    // Of a run that is in no row yet, its states: whoever resumes goes on from them.
    const bool to_go_on = run && file.ends_with(".states") && !fs::exists(into(entry));
    return to_go_on ? std::optional(source_at_hand) : std::nullopt;
  };
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const bool own = had_some_ && i == 0;
    std::error_code none;
    std::vector<fs::directory_entry> entries;
    for (const auto& entry : fs::directory_iterator(sources_[i].directory + "/logs", none)) {
      entries.push_back(entry);
    }
    for (const fs::directory_entry& entry : entries) {
      const auto source = source_of(entry, i);
      if (own && source && *source != 0) fs::remove_all(entry.path());
      if (own || source != i || entry.is_symlink()) continue;
      fs::copy(entry.path(), into(entry),
               fs::copy_options::recursive | fs::copy_options::overwrite_existing |
                   fs::copy_options::skip_symlinks);
    }
  }
}

/// What of the newest configuration is in none of the results, and what does it; empty where that
/// is nothing, or where a file of it is gone.
std::string Merge::left_to_do() const {
  const Document& newest = documents_.back();
  try {
    const Experiment experiment =
        read_experiment({newest.configuration_file, newest.configuration});
    std::size_t missing = 0;
    for (std::size_t i = 0; i < experiment.size(); ++i) {
      if (!chosen_.contains(hash_from(fingerprint(experiment.at(i))).value())) ++missing;
    }
    if (missing == 0) return {};
    return fmt::format(
        "{} of {} {} of the configuration are still to be done; this does them:\n"
        "{} {} {} --out {} --resume\n",
        missing, experiment.size(), experiment.noun(), quoted(this_program().filename()),
        experiment.kind(), quoted(experiment.file), quoted(options_.into));
  } catch (const UserError&) {
    return {};
  }
}

void Merge::tell_all() const {
  std::size_t well = 0;
  for (const auto& [run, choice] : chosen_) well += choice.ended_well ? 1 : 0;
  if (left_out_ > 0) {
    complain(fmt::format("{} row{} lack what belongs to them in other files, and are left out",
                         left_out_, left_out_ == 1 ? "" : "s"));
  }
  tell("{}: {} {} from {} director{}, {} of them ok\n{}", options_.into, chosen_.size(),
       kind_ == "run" ? "runs" : "measurements", directories_.size(),
       directories_.size() == 1 ? "y" : "ies", well, left_to_do());
}

void Merge::run() {
  // What is wrong in what is only read is found before anything is written.
  had_some_ = results_.exist();
  if (!had_some_) read_sources();
  results_.open_directory();
  lock_.emplace(options_.into, options_.break_lock);
  if (had_some_) {
    read_sources();
  } else if (results_.exist()) {
    throw UserError(
        fmt::format("{}: somebody else wrote results there just now; merge again", options_.into));
  }
  choose();
  if (!takes_nothing()) {
    for (std::size_t i = 0; i < sources_.front().tables.size(); ++i) prepare_table(i);
    std::string provenance;
    for (const Document& document : documents_) provenance += document.text(document.invocation);
    results_.prepare("provenance.yaml", provenance, "");
    keep_places();
    results_.install();
    copy_logs();  // not before: a merge that fails has changed nothing
  }
  tell_all();
}

void check_named_once(const MergeOptions& options, const std::vector<std::string>& directories) {
  std::set<fs::path> seen{fs::weakly_canonical(options.into)};
  for (const std::string& directory : directories) {
    if (seen.insert(fs::weakly_canonical(directory)).second) continue;
    throw UserError(fmt::format("{}: is named for the second time", directory));
  }
}

}  // namespace

void merge(const MergeOptions& options) {
  std::vector<std::string> directories = options.directories;
  if (directories.empty()) directories = finished_shards(options.into, options.break_lock);
  if (directories.empty()) {
    throw UserError(fmt::format(
        "{}: there is nothing to merge: no directory was named, and there are no results of shards "
        "in it, whose names are like shard-1-of-8",
        options.into));
  }
  check_named_once(options, directories);
  Merge(options, std::move(directories)).run();
}

}  // namespace regroup
