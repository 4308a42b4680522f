// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/workloads/recorded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <tuple>

#include "kernel/files/csv.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/plain_text.hpp"
#include "regroup/groups.hpp"

namespace regroup {

Recording::Recording(std::vector<Chain> chains) : chains_(std::move(chains)) {
  for (const Chain& chain : chains_) {
    std::vector<std::int64_t>& left = left_.emplace_back(chain.size());
    std::int64_t items = 0;
    for (std::size_t i = chain.size(); i-- > 0;) left[i] = items += chain[i].items;
  }
}

Items Recording::items() const {
  Items items;
  for (const auto& left : left_) items.push_back(left.empty() ? 0 : left.front());
  return items;
}

const Recording::Stretch& Recording::stretch(std::size_t chain, std::int64_t items_left) const {
  const std::vector<std::int64_t>& left = left_.at(chain);
  const auto after =
      std::ranges::partition_point(left, [&](std::int64_t items) { return items >= items_left; });
  const auto index = static_cast<std::size_t>(after - left.begin());
  return chains_[chain].at(std::max<std::size_t>(index, 1) - 1);
}

Recording::Chain Recording::last(std::size_t chain, std::int64_t items) const {
  Chain last;
  for (auto one = chains_.at(chain).rbegin(); one != chains_[chain].rend() && items > 0; ++one) {
    last.push_back({std::min(items, one->items), one->seconds, one->ranks});
    items -= one->items;
  }
  std::ranges::reverse(last);
  return last;
}

namespace {

constexpr int most_chains = 1 << 20;
constexpr int most_ranks = 1 << 20;
constexpr double longest_s = 1e6;

bool is_time(double seconds) { return seconds >= 0 && seconds <= longest_s; }

// ---- CSV

template <class Number>
Number number_in(const CsvRow& row, std::string_view column, Number least, Number most) {
  const std::string& cell = row[column];
  const auto number = parse<Number>(cell);
  if (number && *number >= least && *number <= most) return *number;
  throw UserError(fmt::format("{}:{}: {} is '{}'; allowed: from {} to {}", row.path, row.line,
                              column, cell, least, most));
}

/// Reads one row per item, in any order.
std::vector<Recording::Chain> chains_in(CsvReader& reader) {
  struct Line {
    int chain;
    std::int64_t item;
    std::size_t line;
    Recording::Stretch stretch;
  };
  std::vector<Line> lines;
  while (reader.next()) {
    const CsvRow row = reader.row();
    lines.push_back({number_in(row, "chain", 0, most_chains - 1),
                     number_in<std::int64_t>(row, "item", 0, std::int64_t{1} << 40),
                     row.line,
                     {1, number_in(row, "seconds", 0.0, longest_s),
                      row.has("ranks") ? number_in(row, "ranks", 1, most_ranks) : 1}});
  }
  reader.fail_if_torn();
  std::ranges::stable_sort(lines, {},
                           [](const Line& line) { return std::tuple(line.chain, line.item); });
  std::vector<Recording::Chain> chains;
  for (const Line& line : lines) {
    chains.resize(static_cast<std::size_t>(line.chain) + 1);
    Recording::Chain& chain = chains.back();
    const auto expected = static_cast<std::int64_t>(chain.size());
    if (line.item < expected) {
      throw UserError(fmt::format("{}:{}: duplicate item {} of chain {}", reader.path(), line.line,
                                  line.item, line.chain));
    }
    if (line.item > expected) {
      throw UserError(
          fmt::format("{}:{}: item {} of chain {}, which has no item {}; items count "
                      "from 0 on",
                      reader.path(), line.line, line.item, line.chain, expected));
    }
    chain.push_back(line.stretch);
  }
  return chains;
}

/// Reads an events.csv: one row per group of a walker. Each item gets the mean time of its group.
std::vector<Recording::Chain> chains_of_run(CsvReader& reader, int run) {
  struct Life {
    std::int64_t items_left;
    std::size_t line;
    Recording::Stretch stretch;
  };
  std::vector<std::string> runs;
  std::map<int, std::vector<Life>> walkers;  // by name, in the order of their numbers
  while (reader.next()) {
    const CsvRow row = reader.row();
    const std::string& of = row["run"];
    if (std::ranges::find(runs, of) == runs.end()) runs.push_back(of);
    if (run > 0 && (runs.size() < static_cast<std::size_t>(run) ||
                    of != runs[static_cast<std::size_t>(run) - 1])) {
      continue;
    }
    if (row["walker_id"].empty()) continue;
    constexpr auto most = std::int64_t{1} << 50;
    const auto left = number_in<std::int64_t>(row, "items_left_begin", 0, most);
    const auto items = number_in<std::int64_t>(row, "executed_items_max", 0, most);
    const auto ranks = rank_set_of(row["group_ranks"]);
    if (!ranks || ranks->empty()) {
      throw UserError(fmt::format("{}:{}: group_ranks is '{}', which are not ranks", row.path,
                                  row.line, row["group_ranks"]));
    }
    auto& lives = walkers[number_in(row, "walker_id", 0, std::numeric_limits<int>::max())];
    if (items == 0) continue;
    const double seconds =
        (number_in(row, "busy_until_s", 0.0, 1e12) - number_in(row, "begin_s", 0.0, 1e12)) /
        static_cast<double>(items);
    if (!is_time(seconds)) {
      throw UserError(fmt::format("{}:{}: items of {} s; allowed: from 0 to {}", row.path, row.line,
                                  seconds, longest_s));
    }
    lives.push_back({left, row.line, {items, seconds, ranks->size()}});
  }
  reader.fail_if_torn();
  if (run == 0 ? runs.size() != 1 : runs.size() < static_cast<std::size_t>(run)) {
    std::string names;
    constexpr std::size_t shown = 5;
    for (std::size_t i = 0; i < std::min(runs.size(), shown); ++i) {
      names += fmt::format("{}{} is {}", i == 0 ? ": " : ", ", i + 1, runs[i]);
    }
    if (runs.size() > shown) names += ", …";
    throw UserError(fmt::format("{}: recorded_run must be one of the {} runs in it{}",
                                reader.path(), runs.size(), names));
  }
  std::vector<Recording::Chain> chains;
  for (auto& [name, lives] : walkers) {
    std::ranges::stable_sort(lives, std::greater(), &Life::items_left);
    Recording::Chain& chain = chains.emplace_back();
    for (std::size_t i = 0; i < lives.size(); ++i) {
      const std::int64_t left = lives[i].items_left - lives[i].stretch.items;
      if (left != (i + 1 < lives.size() ? lives[i + 1].items_left : left)) {
        throw UserError(fmt::format(
            "{}:{}: the number of items left of walker {} differs from that of the next group",
            reader.path(), lives[i].line, name));
      }
      chain.push_back(lives[i].stretch);
    }
  }
  return chains;
}

// ---- JSON of DARMA/vt: each process writes the times of its tasks in each phase
// Source: the LB data files of https://github.com/DARMA-tasking/vt

using nlohmann::json;

/// Identifies a task, also after migration.
struct TaskName {
  std::int64_t collection = -1;
  std::int64_t home = -1;
  std::int64_t id = 0;
  auto operator<=>(const TaskName&) const = default;
};

class VtFiles {
 public:
  void read(const std::string& file);
  /// Returns one chain per task, sorted by the process of its first phase.
  std::vector<Recording::Chain> chains() const;

 private:
  struct Task {
    std::int64_t node = 0;                   // in its first phase
    std::map<std::int64_t, double> seconds;  // by phase
  };

  void add(const json& task, std::int64_t phase);
  void repeat_phases(const json& told, std::set<std::int64_t>& of_file);

  std::map<TaskName, Task> tasks_;
};

std::int64_t integer_or(const json& object, const char* key, std::int64_t fallback) {
  return object.contains(key) ? object.at(key).get<std::int64_t>() : fallback;
}

void VtFiles::add(const json& task, std::int64_t phase) {
  const json& entity = task.at("entity");
  const char* id = entity.contains("seq_id") ? "seq_id" : "id";
  const TaskName name{integer_or(entity, "collection_id", integer_or(entity, "objgroup_id", -1)),
                      integer_or(entity, "home", -1), entity.at(id).get<std::int64_t>()};
  const double seconds = task.at("time").get<double>();
  if (!is_time(seconds)) {
    throw std::invalid_argument(fmt::format("phase {} has a task of {} s; allowed: from 0 to {}",
                                            phase, seconds, longest_s));
  }
  Task& known = tasks_[name];
  if (known.seconds.empty() || phase < known.seconds.begin()->first) {
    known.node = task.at("node").get<std::int64_t>();
  }
  known.seconds[phase] += seconds;
}

void VtFiles::read(const std::string& file) {
  try {
    const json data = json::parse(read_file(file).value_or(""));
    std::map<std::int64_t, const json*> phases;
    for (const json& phase : data.at("phases")) {
      phases[phase.at("id").get<std::int64_t>()] = &phase.at("tasks");
    }
    // Phases that are omitted because they are identical to the previous one.
    const json told = data.value("/metadata/phases/identical_to_previous"_json_pointer, json());
    std::set<std::int64_t> repeated;
    if (told.is_object()) {
      for (const json& phase : told.value("list", json::array())) {
        repeated.insert(phase.get<std::int64_t>());
      }
      for (const json& range : told.value("range", json::array())) {
        const auto first = range.at(0).get<std::int64_t>();
        const auto last = range.at(1).get<std::int64_t>();
        if (last - first > most_chains) throw std::invalid_argument("too many phases");
        for (std::int64_t phase = first; phase <= last; ++phase) repeated.insert(phase);
      }
    }
    for (const std::int64_t phase : repeated) {
      const auto before = phases.find(phase - 1);
      if (before == phases.end()) {
        throw std::invalid_argument(fmt::format(
            "phase {} is declared identical to the previous one, which does not exist", phase));
      }
      phases.emplace(phase, before->second);
    }
    for (const auto& [phase, tasks] : phases) {
      for (const json& task : *tasks) add(task, phase);
    }
  } catch (const json::exception& error) {
    throw UserError(fmt::format("{}: is not JSON of load-balancing data of vt: {}", file,
                                one_line(error.what())));
  } catch (const std::invalid_argument& error) {
    throw UserError(fmt::format("{}: {}", file, error.what()));
  }
}

std::vector<Recording::Chain> VtFiles::chains() const {
  std::vector<std::pair<std::tuple<std::int64_t, TaskName>, const Task*>> in_order;
  for (const auto& [name, task] : tasks_) in_order.push_back({{task.node, name}, &task});
  std::ranges::sort(in_order);
  std::vector<Recording::Chain> chains;
  for (const auto& [place, task] : in_order) {
    Recording::Chain& chain = chains.emplace_back();
    for (const auto& [phase, seconds] : task->seconds) chain.push_back({1, seconds, 1});
  }
  return chains;
}

// ---- all formats

std::vector<Recording::Chain> chains_of(const std::string& file, int run) {
  if (file.ends_with(".json")) {
    VtFiles vt;
    for (const std::string& one : files_of_recording(file)) vt.read(one);
    return vt.chains();
  }
  CsvReader reader(file);
  const auto has = [&](std::string_view column) {
    return std::ranges::find(reader.columns(), column) != reader.columns().end();
  };
  if (has("walker_id") && has("busy_until_s")) {
    check_schema(std::filesystem::path(file).parent_path());
    return chains_of_run(reader, run);
  }
  if (has("chain") && has("item") && has("seconds")) return chains_in(reader);
  throw UserError(
      fmt::format("{}:1: neither the columns chain, item and seconds nor those of an "
                  "events.csv; JSON of vt has a name that ends with .json",
                  file));
}

}  // namespace

std::vector<std::string> files_of_recording(const std::string& file) {
  constexpr std::string_view ending = ".0.json";
  std::vector<std::string> files{file};
  if (!file.ends_with(ending)) return files;
  const std::string stem = file.substr(0, file.size() - ending.size());
  for (std::string next; file_exists(next = fmt::format("{}.{}.json", stem, files.size()));) {
    files.push_back(std::move(next));
  }
  return files;
}

Recording read_recording(const std::string& file, int run) {
  for (const std::string& one : files_of_recording(file)) {
    if (const std::string complaint = input_complaint(one); !complaint.empty()) {
      throw UserError(fmt::format("{}: {}", one, complaint));
    }
  }
  std::vector<Recording::Chain> chains = chains_of(file, run);
  const bool any = std::ranges::any_of(chains, [](const Recording::Chain& chain) {
    return std::ranges::any_of(chain, [](const auto& stretch) { return stretch.seconds > 0; });
  });
  if (!any) throw UserError(fmt::format("{}: all items have a time of 0", file));
  if (chains.size() > most_chains) {
    throw UserError(
        fmt::format("{}: {} chains; allowed: at most {}", file, chains.size(), most_chains));
  }
  return Recording(std::move(chains));
}

std::shared_ptr<const Recording> recording(const Options& options) {
  // Cached, because all runs of a sweep call this function, also concurrently.
  using Written = std::vector<std::filesystem::file_time_type>;
  struct Known {
    Written written;
    std::shared_ptr<const Recording> recording;
  };
  static std::mutex mutex;
  static std::map<std::pair<std::string, int>, Known> all;
  const std::string& file = options.text("recorded_file");
  const auto run = static_cast<int>(options.integer("recorded_run"));
  Written written;
  for (const std::string& one : files_of_recording(file)) {
    std::error_code unknown;
    written.push_back(std::filesystem::last_write_time(one, unknown));
  }
  const std::lock_guard lock(mutex);
  Known& known = all[{file, run}];
  if (known.recording == nullptr || known.written != written) {
    known = {written, std::make_shared<const Recording>(read_recording(file, run))};
  }
  return known.recording;
}

Items recorded(const Options& options, Groups groups, std::uint64_t) {
  Items items = recording(options)->items();
  if (items.size() == groups.size()) return items;
  throw std::invalid_argument(
      fmt::format("{}: {} chains for {} walkers; set walkers_in_all to the number of chains",
                  options.text("recorded_file"), items.size(), groups.size()));
}

}  // namespace regroup
