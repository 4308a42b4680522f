// SPDX-License-Identifier: BSD-3-Clause
#include "driver/cli/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "driver/store/run_files.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"

namespace regroup {
namespace {

/// The run called `run`; where that is empty, the last one that ended well and formed groups, else
/// the last that ended well.
Record find_run(const std::string& directory, const std::string& run, const Catalog& catalog) {
  const std::string path = directory + "/" + file_of(nullptr);
  if (!file_exists(path)) {
    throw UserError(fmt::format("{}: there is no such file; only runs have traces", path));
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
    throw UserError(fmt::format("{}: there is no run '{}'; its column 'run' has their names", path,
                                one_line(run)));
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
    throw UserError(fmt::format("'{}' are no ranks of this run; allowed: FIRST-LAST, 0 to {}",
                                one_line(text), number - 1));
  }
  return {set->lo(), set->hi()};
}

std::vector<GroupLife> lives_of(const std::string& directory, const std::string& run) {
  const std::string path = directory + "/events.csv";
  std::vector<GroupLife> lives;
  CsvReader reader(path);
  while (reader.next()) {
    if (reader.row()["run"] == run) lives.push_back(life_of(reader.row()));
  }
  if (lives.empty()) throw UserError(fmt::format("{}: no rows of run {}", path, run));
  std::ranges::stable_sort(lives, {}, &GroupLife::formed_s);
  return lives;
}

/// What the ranks of one life did in it, in turn. Where it stopped they are idle to the end.
class Spans {
 public:
  Spans(TracedRun& run, RankRange ranks, double end_s) : run_(run), ranks_(ranks), end_s_(end_s) {
    run.first_rank = ranks.lo;
    run.spans.resize(static_cast<std::size_t>(ranks.size()));
  }

  void add_all() {
    for (std::size_t i = 0; i < run_.lives.size(); ++i) {
      for (const RankRange& range : run_.lives[i].ranks.ranges()) {
        for (int rank = std::max(range.lo, ranks_.lo); rank <= std::min(range.hi, ranks_.hi);
             ++rank)
          add(rank, i);
      }
    }
  }

 private:
  void add(int rank, std::size_t i) {
    const GroupLife& life = run_.lives[i];
    auto& spans = run_.spans[static_cast<std::size_t>(rank - ranks_.lo)];
    const double before_s = spans.empty() ? 0 : spans.back().end_s;
    const auto append = [&](double begin_s, double end_s, Doing doing) {
      begin_s = std::max(begin_s, before_s);
      if (end_s > begin_s) spans.push_back({begin_s, end_s, doing, i});
    };
    append(before_s, life.formed_s, Doing::form);
    const bool works = life.walker >= 0 && life.busy_until_s > life.formed_s;
    const double busy_until_s = works ? life.busy_until_s : life.formed_s;
    append(life.formed_s, busy_until_s, Doing::work);
    append(busy_until_s, life.stopped() ? std::max(life.ended_s, end_s_) : life.ended_s,
           Doing::idle);
  }

  TracedRun& run_;
  RankRange ranks_;
  double end_s_;
};

}  // namespace

TracedRun traced_run(const std::string& directory, const std::string& run, const std::string& ranks,
                     const Catalog& catalog) {
  TracedRun traced;
  traced.record = find_run(directory, run, catalog);
  traced.lives = lives_of(directory, traced.name());
  Spans(traced, ranks_in(ranks, traced.record.task.ranks), traced.record.makespan_s).add_all();
  return traced;
}

namespace {

using Json = nlohmann::ordered_json;

/// In microseconds, to the nanosecond.
double us(double seconds) { return std::round(seconds * 1e9) / 1e3; }

Json words_of(const GroupLife& life) {
  Json words{{"group", text_of(life.ranks)}};
  if (life.walker >= 0) {
    words["walker"] = life.walker;
    words["items"] = life.items_before - life.items_after;
    words["items_left"] = life.items_after;
  }
  return words;
}

class ChromeTrace {
 public:
  explicit ChromeTrace(const std::string& file) : draft_(file) {
    draft_.write("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [");
  }

  void add(const Json& event) {
    draft_.write((first_ ? "\n" : ",\n") + event.dump());
    first_ = false;
  }

  void end(const Json& about) {
    draft_.write(fmt::format("\n], \"otherData\": {}}}\n", about.dump()));
    draft_.finish();
    draft_.install();
  }

 private:
  Draft draft_;
  bool first_ = true;
};

}  // namespace

static std::string word_of(const TracedRun& run, const Span& span) {
  switch (span.doing) {
    case Doing::work:
      return fmt::format("walker {}", run.lives[span.life].walker);
    case Doing::idle:
      return "idle";
    case Doing::form:
      return "forming";
  }
  return {};
}

static void write_chrome_trace(const TracedRun& run, const std::string& file,
                               const Catalog& catalog) {
  ChromeTrace trace(file);
  trace.add({{"ph", "M"},
             {"name", "process_name"},
             {"pid", 0},
             {"args", {{"name", "run " + run.name()}}}});
  int rank = run.first_rank;
  for (const auto& spans : run.spans) {
    const Json thread{{"ph", "M"}, {"pid", 0}, {"tid", rank}};
    Json named = thread;
    named["name"] = "thread_name";
    named["args"] = {{"name", fmt::format("rank {}", rank)}};
    trace.add(named);
    Json sorted = thread;
    sorted["name"] = "thread_sort_index";
    sorted["args"] = {{"sort_index", rank}};
    trace.add(sorted);
    for (const Span& span : spans) {
      trace.add({{"ph", "X"},
                 {"name", word_of(run, span)},
                 {"pid", 0},
                 {"tid", rank},
                 {"ts", us(span.begin_s)},
                 {"dur", us(span.end_s - span.begin_s)},
                 {"args", words_of(run.lives[span.life])}});
    }
    ++rank;
  }
  for (const GroupLife& life : run.lives) {
    const int leader = life.ranks.lo();
    if (!life.regrouped() || leader < run.first_rank || leader >= rank) continue;
    trace.add({{"ph", "i"},
               {"s", "t"},
               {"name", "regrouped"},
               {"pid", 0},
               {"tid", leader},
               {"ts", us(life.formed_s)},
               {"args", words_of(life)}});
  }
  Json about = Json::object();
  for (const Column& column : columns_of(nullptr, catalog)) {
    about[column.name] = column.write(run.record);
  }
  trace.end(about);
}

void write_trace(const TraceOptions& options, const Catalog& catalog) {
  const TracedRun run = traced_run(options.directory, options.run, options.ranks, catalog);
  const std::string output = options.output.empty()
                                 ? fmt::format("{}/{}.trace.json", options.directory, run.name())
                                 : options.output;
  write_chrome_trace(run, output, catalog);
  print_out("{}\n", output);
}

}  // namespace regroup
