// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/trace/spans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "jobs/results/run_logs.hpp"
#include "jobs/words/without_events.hpp"
#include "kernel/files/csv_reader.hpp"
#include "kernel/files/plain_text.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/files/user_error.hpp"
#include "kernel/numbers/parse.hpp"

namespace regroup {
namespace {

using Row = std::map<std::string, std::string>;

Row cells(const CsvRow& row) {
  Row all;
  for (std::size_t i = 0; i < row.columns.size(); ++i) all[row.columns[i]] = row.fields[i];
  return all;
}

Row row_of(const std::string& directory, const std::string& run) {
  const std::string path = directory + "/runs.csv";
  if (!std::filesystem::exists(path)) {
    throw UserError(fmt::format(
        "{}: there is no such file; only runs have traces, not measurements", one_line(path)));
  }
  check_schema(path);
  Row last;
  Row forming;
  std::string without_events;  // why
  CsvReader reader(path);
  while (reader.next()) {
    const CsvRow row = reader.row();
    const std::string why = why_without_events(row);
    if (row["run"] == run) {
      if (!why.empty()) throw UserError(fmt::format("{}:{}: {}", path, row.line, why));
      return cells(row);
    }
    if (row["status"] != "ok") continue;
    if (!why.empty()) {
      without_events = why;
      continue;
    }
    last = cells(row);
    if (!row["communicator"].empty()) forming = last;
  }
  if (!run.empty()) {
    throw UserError(fmt::format("{}: there is no run '{}'; its column 'run' has their names", path,
                                one_line(run)));
  }
  if (last.empty()) {
    throw UserError(fmt::format("{}: {}", path,
                                without_events.empty() ? "no run has ended well" : without_events));
  }
  return forming.empty() ? last : forming;
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

TracedRun traced_run(const std::string& directory, const std::string& run,
                     const std::string& ranks) {
  TracedRun traced;
  traced.row = row_of(directory, run);
  traced.lives = lives_of(directory, traced.name());
  const auto number = parse<int>(traced.row["ranks"]);
  const auto makespan_s = parse<double>(traced.row["makespan_s"]);
  if (!number || *number < 1 || !makespan_s) {
    throw UserError(fmt::format("{}/runs.csv: run {} has no number of ranks, or no makespan_s",
                                directory, traced.name()));
  }
  Spans(traced, ranks_in(ranks, *number), *makespan_s).add_all();
  return traced;
}

}  // namespace regroup
