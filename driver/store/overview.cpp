// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/overview.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "driver/store/keys.hpp"
#include "driver/store/settings.hpp"
#include "driver/store/table.hpp"
#include "kernel/numbers/statistics.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/shell_words.hpp"
#include "kernel/text/table.hpp"
#include "kernel/text/terminal.hpp"
#include "kernel/text/units.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

using Words = std::vector<std::string>;

/// A parameter or condition with several values that is not a key of the overview.
struct OtherKey {
  std::string name;
  std::size_t values;
  std::string last;  ///< value of the last run that has one
};

class Overview {
 public:
  Overview(const std::string& directory, const Words& keys, const Where& where,
           const Catalog& catalog);

  void print_for_people(bool markdown) const;
  void print_for_programs(bool json) const;
  const std::vector<OtherKey>& others() const { return others_; }

 private:
  struct Row {
    Words texts;  // of the keys
    std::size_t ok = 0, runs = 0;
    std::vector<double> of_bound = {}, of_none = {};
  };
  /// A run that ended well.
  struct Sample {
    std::size_t row;
    std::uint64_t work;  // equal for runs that differ only in the balancer
    double makespan_s;
  };

  void read(const std::string& directory, const Where& where, const Catalog& catalog);
  std::size_t row_of(const Record& record);
  void compare_with_none();
  void sort();
  std::string about() const;

  std::vector<Key> keys_;
  std::vector<Texts> texts_;  // of each key
  std::vector<Row> rows_;
  std::map<Words, std::size_t> places_;  // indices of rows
  std::vector<Sample> samples_;
  std::unordered_map<std::uint64_t, std::vector<double>> none_;  // makespans by work
  std::vector<OtherKey> others_;
};

Overview::Overview(const std::string& directory, const Words& keys, const Where& where,
                   const Catalog& catalog) {
  const std::vector<Key> all = keys_of(nullptr, catalog);
  for (const std::string& name : keys) {
    const std::string option = fmt::format("--by {}", fmt::join(keys, ","));
    keys_.push_back(key_named(all, name, option, directory, nullptr, catalog));
  }
  texts_.resize(keys_.size());
  read(directory, where, catalog);
  if (rows_.empty()) throw UserError(fmt::format("{}/runs.csv: there are no runs", directory));
  compare_with_none();
  sort();
}

void Overview::read(const std::string& directory, const Where& where, const Catalog& catalog) {
  std::vector<Key> others = keys_of(nullptr, catalog);
  std::erase_if(others, [&](const Key& key) {
    return key.is_option || std::ranges::find(keys_, key.name, &Key::name) != keys_.end();
  });
  std::vector<Texts> texts(others.size());
  Words last(others.size());
  Filter filter(where, directory, nullptr, catalog);
  const InvocationNames invocations(directory);
  const Task usual = usual_task(catalog);
  each_record(directory, nullptr, catalog, [&](const CsvRow&, const Record& record) {
    const bool admitted = filter.admits(record);
    const bool is_none = record.task.run().balancer->name == "none";
    if (!admitted && !is_none) return;
    std::uint64_t work = 0;
    if (record.ok()) {
      Task task = setting_of(record.task, usual);
      task.run().balancer = {};
      task.run().strategy = nullptr;
      const Conditions under = conditions_of(record, invocations);
      work =
          hash_number(fmt::format("{} {} {} {} {} {}", fingerprint(task), record.problem,
                                  under.waited, under.cores, under.placement, under.circumstances));
      if (is_none) none_[work].push_back(record.makespan_s);
    }
    if (!admitted) return;
    for (std::size_t i = 0; i < others.size(); ++i) {
      std::string text = others[i].text(record);
      texts[i].add(text);
      if (!text.empty()) last[i] = std::move(text);
    }
    const std::size_t place = row_of(record);
    Row& row = rows_[place];
    ++row.runs;
    if (!record.ok()) return;
    ++row.ok;
    if (record.bound_s > 0) row.of_bound.push_back(record.makespan_s / record.bound_s);
    samples_.push_back({place, work, record.makespan_s});
  });
  filter.check();
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (texts[i].size() > 1) others_.push_back({others[i].name, texts[i].size(), last[i]});
  }
}

std::size_t Overview::row_of(const Record& record) {
  Words texts;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    texts.push_back(keys_[i].text(record));
    texts_[i].add(texts.back());
  }
  const auto [position, added] = places_.emplace(std::move(texts), rows_.size());
  if (added) rows_.push_back({position->first});
  return position->second;
}

void Overview::compare_with_none() {
  for (auto& [work, makespans_s] : none_) makespans_s = {median(makespans_s)};
  for (const Sample& sample : samples_) {
    const auto none = none_.find(sample.work);
    if (none == none_.end() || none->second.front() <= 0) continue;
    rows_[sample.row].of_none.push_back(sample.makespan_s / none->second.front());
  }
}

/// Sorts rows by the other keys, then balancers by their median ratios.
void Overview::sort() {
  std::vector<std::map<std::string, std::size_t>> places(keys_.size());
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    for (std::string& text : texts_[i].sorted())
      places[i].emplace(std::move(text), places[i].size());
  }
  const auto order = [&](const Row& row) {
    std::vector<std::size_t> balancer;
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const auto place = places[i].find(row.texts[i]);  // empty texts have no entry
      (keys_[i].of_balancer ? balancer : rest)
          .push_back(place == places[i].end() ? 0 : place->second + 1);
    }
    const std::vector<double>& ratios = row.of_bound.empty() ? row.of_none : row.of_bound;
    const double figure = balancer.empty() || ratios.empty() ? INFINITY : median(ratios);
    return std::tuple(std::move(rest), figure, std::move(balancer));
  };
  std::ranges::sort(rows_, {}, order);
}

std::string Overview::about() const {
  Words parts;
  for (const OtherKey& other : others_) {
    parts.push_back(fmt::format("{} ({})", other.name, other.values));
  }
  return fmt::format(
      "Makespan / bound (× bound), and makespan / median makespan of balancer none for the same "
      "problem\n(÷ none): median and maximum of all runs{}.\n",
      parts.empty() ? "" : fmt::format(", which differ in {}", fmt::join(parts, ", ")));
}

void Overview::print_for_people(bool markdown) const {
  const auto any = [&](auto figures) {
    return std::ranges::any_of(rows_, [&](const Row& row) { return !(row.*figures).empty(); });
  };
  const bool bounds = any(&Row::of_bound);
  const bool nones = any(&Row::of_none);
  std::vector<Cells> lines(1);
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    lines[0].push_back(keys_[i].name);
    if (keys_[i].parameter == nullptr || keys_[i].parameter->list != nullptr) left.push_back(i);
  }
  if (bounds) lines[0].insert(lines[0].end(), {"× bound", "worst"});
  if (nones) lines[0].insert(lines[0].end(), {"÷ none", "worst"});
  lines[0].emplace_back("ok");
  for (const Row& row : rows_) {
    Cells& cells = lines.emplace_back(row.texts);
    const auto add = [&](const std::vector<double>& ratios) {
      cells.push_back(ratios.empty() ? "" : rounded(median(ratios), 3));
      cells.push_back(ratios.empty() ? "" : rounded(std::ranges::max(ratios), 3));
    };
    if (bounds) add(row.of_bound);
    if (nones) add(row.of_none);
    cells.push_back(fmt::format("{}/{}", row.ok, row.runs));
  }
  fmt::print("{}\n{}", about(), text_table(lines, left, markdown));
}

void Overview::print_for_programs(bool json) const {
  std::vector<ColumnHelp> columns;
  for (const Key& key : keys_) columns.push_back({key.name, "text", ""});
  for (const char* name :
       {"of_bound", "of_bound_worst", "of_none", "of_none_worst", "runs_ok", "runs"}) {
    columns.push_back({name, "number", ""});
  }
  regroup::print_for_programs(json, columns, [&](const auto& print) {
    for (const Row& row : rows_) {
      Cells cells = row.texts;
      for (const std::vector<double>& ratios : {row.of_bound, row.of_none}) {
        cells.push_back(ratios.empty() ? "" : fmt::format("{}", median(ratios)));
        cells.push_back(ratios.empty() ? "" : fmt::format("{}", std::ranges::max(ratios)));
      }
      cells.push_back(std::to_string(row.ok));
      cells.push_back(std::to_string(row.runs));
      print(cells);
    }
  });
}

/// Returns options --where that leave about most_rows of `rows` rows. They select the values of the
/// last run, for as few keys as possible.
std::string narrowing(std::size_t rows, std::vector<OtherKey> others) {
  std::ranges::stable_sort(others, std::greater<>(), &OtherKey::values);
  std::string conditions;
  for (const OtherKey& other : others) {
    if (rows <= most_rows) break;
    conditions += " --where " + quoted(other.name + "=" + other.last);
    rows = (rows + other.values - 1) / other.values;
  }
  return conditions;
}

}  // namespace

void print_overview(const std::string& directory, const std::string& format, const Words& keys,
                    const Where& where, const Catalog& catalog) {
  const Overview overview(directory, keys, where, catalog);
  if (format == "csv" || format == "json") return overview.print_for_programs(format == "json");
  if (format != "text" && format != "markdown") {
    throw UserError(fmt::format(
        "--by cannot be combined with --format {}; allowed: text, markdown, csv, json", format));
  }
  overview.print_for_people(format == "markdown");
}

void print_overview_instead(std::size_t rows, const std::string& directory,
                            const std::string& format, const Where& where, const Catalog& catalog) {
  const bool markdown = format == "markdown";
  const Overview overview(directory, {"workload", "balancer"}, where, catalog);
  overview.print_for_people(markdown);
  std::string command = quoted(program_call()) + " table " + quoted(directory);
  for (const std::string& condition : where) command += " --where " + quoted(condition);
  std::vector<OtherKey> others = overview.others();
  std::erase_if(others, [](const OtherKey& other) {
    return other.name == "seed" || other.name == "repetition";
  });
  Words all;
  for (const OtherKey& other : others) all.push_back(other.name);
  all.insert(all.end(), {"workload", "balancer"});
  const std::string more = narrowing(rows, others);
  fmt::print(
      "\nThe whole table has {} rows; this is a summary. To print a part of it, or all rows:\n{}",
      rows, markdown ? "\n" : "");
  for (const std::string& line :
       {command + more, fmt::format("{} --by {}", command, fmt::join(all, ",")),
        command + " --format csv"}) {
    fmt::print("{}{}\n{}", markdown ? "    " : "  ", line, markdown ? "\n" : "");
  }
}

}  // namespace regroup
