// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "jobs/trace/write_trace.hpp"
#include "kernel/files/write_file.hpp"

namespace regroup {
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

std::string word_of(const TracedRun& run, const Span& span) {
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

void write_chrome_trace(const TracedRun& run, const std::string& file) {
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
  for (const auto& [column, cell] : run.row) about[column] = cell;
  trace.end(about);
}

}  // namespace regroup
