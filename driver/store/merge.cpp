// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/merge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "driver/config/experiment.hpp"
#include "driver/config/reader.hpp"
#include "driver/config/selection.hpp"
#include "driver/execute/launch.hpp"
#include "driver/execute/mpi_job.hpp"
#include "driver/store/inventory.hpp"
#include "driver/store/provenance.hpp"
#include "driver/store/result_files.hpp"
#include "driver/store/results.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"
#include "regroup/catalog.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

/// What provenance.yaml tells of one invocation.
struct Document {
  int invocation = 0;
  std::string rest;  ///< of its text, below the line with that number
  Circumstances circumstances;
  std::string configuration_file;
  std::string configuration;
  std::string configuration_hash;

  /// Its text, as the document of an invocation with another number.
  std::string text(int number) const;
};

/// The documents of a directory of results. Throws UserError where there are none, or where they
/// are not as provenance() writes them.
std::vector<Document> read_documents(const std::string& directory);

constexpr std::string_view beginning = "---\n";

std::string head(int invocation) {
  return fmt::format("{}invocation: {}\n", beginning, invocation);
}

/// The texts of the documents: no other line is "---", since values are JSON.
std::vector<std::string> texts_in(const std::string& all) {
  std::vector<std::string> texts;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = all.find("\n---\n", begin);
    const std::size_t next = end == all.npos ? all.size() : end + 1;
    texts.push_back(all.substr(begin, next - begin));
    begin = next;
  }
  return texts;
}

std::string Document::text(int number) const { return head(number) + rest; }

std::vector<Document> read_documents(const std::string& directory) {
  const std::string path = directory + "/provenance.yaml";
  const auto all = read_file(path);
  if (!all)
    throw UserError(
        fmt::format("{}: there is none, and so nobody knows whose rows these are", path));
  const auto known = circumstances_in(*all, path);
  constexpr auto most = std::numeric_limits<std::size_t>::max();
  const std::vector<ConfigNode> nodes = parse_yaml(*all, path, {most, most, 8});
  const std::vector<std::string> texts = texts_in(*all);
  std::vector<Document> documents;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Document document;
    for (const auto& [key, value] : nodes[i].pairs) {
      if (key.text == "invocation") document.invocation = std::stoi(value.text);
      if (key.text == "configuration_file") document.configuration_file = value.text;
      if (key.text == "configuration") document.configuration = value.text;
      if (key.text == "configuration_hash") document.configuration_hash = value.text;
    }
    const std::string first = head(document.invocation);
    if (texts.size() != nodes.size() || !texts[i].starts_with(first)) {
      throw UserError(
          fmt::format("{}:{}: this document is not as regroup writes it", path, nodes[i].line));
    }
    document.rest = texts[i].substr(first.size());
    document.circumstances = known.at(document.invocation);
    documents.push_back(std::move(document));
  }
  return documents;
}

/// A directory of results that is to be merged with others.
struct Source {
  std::string directory;
  std::vector<ResultFile> tables;
  Inventory inventory;
  std::vector<Document> documents;
  std::map<int, int> numbers;  ///< of its invocations in what they are merged to
};

/// Whether a directory, which may not be there, holds any results.
bool holds_results(const std::string& directory);

/// The directories of shards below `directory`; said, and left out, are those of which nothing can
/// be had yet, since a sweep is at work there (unless its lock may be broken) or has not begun.
std::vector<std::string> finished_shards(const std::string& directory, bool break_lock);

/// The kind of what `directory` holds results of: "run", "creation". Throws UserError where there
/// are none, or of several kinds.
std::string kind_in(const std::string& directory);

/// Reads `directory` and checks that it can be merged: its columns are ours, and nobody has changed
/// its files since regroup wrote them. `killed`: who wrote them was, and may have left more than
/// the checksums say. Throws UserError.
Source read_source(const std::string& directory, std::string_view kind, bool killed);

/// Throws UserError where what `sources` hold is of several configurations, or was made under
/// circumstances that are unlike each other.
void check_alike(const std::vector<Source>& sources);

void check_columns(const std::string& directory, const std::vector<ResultFile>& tables) {
  for (const ResultFile& table : tables) {
    const std::string path = directory + "/" + table.name;
    if (!file_exists(path)) continue;
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
    if (file_exists(path)) continue;
    throw UserError(
        fmt::format("{}: is missing, and rows of {} lack what belongs to them without it", path,
                    tables.front().name));
  }
}

bool holds_results(const std::string& directory) {
  if (file_exists(directory + "/" + file_of("run"))) return true;
  return std::ranges::any_of(standard_catalog().measurements, [&](const MeasurementKind& kind) {
    return file_exists(directory + "/" + file_of(kind.name));
  });
}

std::vector<std::string> finished_shards(const std::string& directory, bool break_lock) {
  std::vector<std::string> ready;
  for (const std::string& shard : shard_directories(directory)) {
    const Held holder = held(shard);
    if (!holder.by.empty() && !break_lock) {
      print_error(fmt::format("{}: is left out: a sweep is at work there: {}", shard, holder.by));
    } else if (!holds_results(shard)) {
      print_error(fmt::format("{}: is left out: holds no results yet", shard));
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
    if (file_exists(directory + "/" + file_of(kind))) kinds.emplace_back(kind);
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
    if (!file_exists(path)) continue;
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
    print_error(fmt::format("{} row{} lack what belongs to them in other files, and are left out",
                            left_out_, left_out_ == 1 ? "" : "s"));
  }
  print_out("{}: {} {} from {} director{}, {} of them ok\n{}", options_.into, chosen_.size(),
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
