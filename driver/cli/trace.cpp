// SPDX-License-Identifier: BSD-3-Clause
//
// `regroup trace`: exports the activities of each rank of a run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "driver/cli/commands.hpp"
#include "driver/store/record.hpp"
#include "driver/store/run_files.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/files.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"

namespace regroup {
namespace {

using Json = nlohmann::ordered_json;

/// Returns the run called `run`; if that is empty, the last one that ended well and formed groups,
/// otherwise the last that ended well.
Record find_run(const std::string& directory, const std::string& run, const Catalog& catalog) {
  const std::string path = directory + "/" + file_of(nullptr);
  if (!file_exists(path)) {
    throw UserError(fmt::format("{}: no such file; traces need runs", path));
  }
  std::optional<Record> named;
  std::optional<Record> last;
  std::optional<Record> forming;
  std::string without_events;
  each_record(directory, nullptr, catalog, [&](const CsvRow& row, Record record) {
    if (row["run"] == run) named = record;
    if (!record.ok()) return;
    without_events = why_without_events(record);
    if (!without_events.empty()) return;
    if (record.task.strategy() != nullptr) forming = record;
    last = std::move(record);
  });
  if (named) {
    const std::string why = why_without_events(*named);
    if (!why.empty()) throw UserError(fmt::format("{}: {}", path, why));
    return *named;
  }
  if (!run.empty()) {
    throw UserError(
        fmt::format("{}: there is no run '{}'; see the column 'run'", path, one_line(run)));
  }
  if (!last) {
    throw UserError(fmt::format("{}: {}", path,
                                without_events.empty() ? "no run has ended well" : without_events));
  }
  return forming ? *forming : *last;
}

RankRange ranks_in(const std::string& text, int number) {
  if (text.empty()) return {0, number - 1};
  const auto set = rank_set_of(text);
  if (!set || !set->is_range() || set->empty() || set->hi() >= number) {
    throw UserError(fmt::format("'{}' are not ranks of this run; allowed: FIRST-LAST, 0 to {}",
                                one_line(text), number - 1));
  }
  return {set->lo(), set->hi()};
}

/// Returns the groups of a run in the order in which they were formed.
std::vector<GroupLife> groups_of(const std::string& directory, const std::string& run) {
  const std::string path = directory + "/events.csv";
  std::vector<GroupLife> groups;
  CsvReader reader(path);
  while (reader.next()) {
    if (reader.row()["run"] == run) groups.push_back(life_of(reader.row()));
  }
  if (groups.empty()) throw UserError(fmt::format("{}: no rows of run {}", path, run));
  std::ranges::stable_sort(groups, {}, &GroupLife::formed_s);
  return groups;
}

/// Returns microseconds, rounded to nanoseconds.
double us(double seconds) { return std::round(seconds * 1e9) / 1e3; }

Json json_of(const GroupLife& group) {
  Json json{{"group", text_of(group.ranks)}};
  if (group.walker >= 0) {
    json["walker"] = group.walker;
    json["items"] = group.items_before - group.items_after;
    json["items_left"] = group.items_after;
  }
  return json;
}

/// Writes a file in the format of chrome://tracing: a thread for each rank.
class TraceFile {
 public:
  explicit TraceFile(const std::string& file) : draft_(file) {
    draft_.write("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [");
  }

  void name_process(const std::string& name) {
    add({{"ph", "M"}, {"name", "process_name"}, {"pid", 0}, {"args", {{"name", name}}}});
  }

  /// Adds the thread of a rank that was a member of `groups`, one after the other. After the last
  /// one, the rank is idle until the run ends.
  void add_rank(int rank, const std::vector<const GroupLife*>& groups, double end_s) {
    describe(rank, "thread_name", {{"name", fmt::format("rank {}", rank)}});
    describe(rank, "thread_sort_index", {{"sort_index", rank}});
    double now_s = 0;
    for (const GroupLife* group : groups) {
      const auto spend = [&](const std::string& doing, double until_s) {
        if (until_s <= now_s) return;
        add({{"ph", "X"},
             {"name", doing},
             {"pid", 0},
             {"tid", rank},
             {"ts", us(now_s)},
             {"dur", us(until_s - now_s)},
             {"args", json_of(*group)}});
        now_s = until_s;
      };
      spend("forming", group->formed_s);
      if (group->walker >= 0) spend(fmt::format("walker {}", group->walker), group->busy_until_s);
      spend("idle", group->stopped() ? std::max(group->ended_s, end_s) : group->ended_s);
    }
  }

  /// Marks the formation of a group on the thread of its leader.
  void add_regrouping(const GroupLife& group) {
    add({{"ph", "i"},
         {"s", "t"},
         {"name", "regrouped"},
         {"pid", 0},
         {"tid", group.ranks.lo()},
         {"ts", us(group.formed_s)},
         {"args", json_of(group)}});
  }

  void finish(const Json& about) {
    draft_.write(fmt::format("\n], \"otherData\": {}}}\n", about.dump()));
    draft_.finish();
    draft_.install();
  }

 private:
  void describe(int rank, const char* property, Json value) {
    add({{"ph", "M"}, {"pid", 0}, {"tid", rank}, {"name", property}, {"args", std::move(value)}});
  }
  void add(const Json& event) {
    draft_.write((first_ ? "\n" : ",\n") + event.dump());
    first_ = false;
  }

  Draft draft_;
  bool first_ = true;
};

}  // namespace

void write_trace(const TraceOptions& options, const Catalog& catalog) {
  const Record run = find_run(options.directory, options.run, catalog);
  const std::string name = fingerprint(run.task);
  const std::vector<GroupLife> groups = groups_of(options.directory, name);
  const RankRange ranks = ranks_in(options.ranks, run.task.ranks);
  std::vector<std::vector<const GroupLife*>> groups_of_rank(static_cast<std::size_t>(ranks.size()));
  for (const GroupLife& group : groups) {
    for (const RankRange& range : group.ranks.ranges()) {
      for (int rank = std::max(range.lo, ranks.lo); rank <= std::min(range.hi, ranks.hi); ++rank) {
        groups_of_rank[static_cast<std::size_t>(rank - ranks.lo)].push_back(&group);
      }
    }
  }

  const std::string output = options.output.empty()
                                 ? fmt::format("{}/{}.trace.json", options.directory, name)
                                 : options.output;
  TraceFile trace(output);
  trace.name_process("run " + name);
  int rank = ranks.lo;
  for (const auto& own : groups_of_rank) trace.add_rank(rank++, own, run.makespan_s);
  for (const GroupLife& group : groups) {
    const int leader = group.ranks.lo();
    const bool shown = ranks.lo <= leader && leader <= ranks.hi;
    if (group.regrouped() && shown) trace.add_regrouping(group);
  }
  Json about = Json::object();
  for (const Column& column : columns_of(nullptr, catalog)) about[column.name] = column.write(run);
  trace.finish(about);
  print_out("{}\n", output);
}

}  // namespace regroup
