// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "driver/store/columns.hpp"
#include "driver/store/provenance.hpp"
#include "kernel/files/schema.hpp"
#include "library/resolve.hpp"
#include "library/task.hpp"
#include "regroup/catalog.hpp"

namespace regroup {

std::string_view name(Status status) { return status_words.at(static_cast<std::size_t>(status)); }

std::optional<Status> status_named(std::string_view text) {
  const auto word = std::ranges::find(status_words, text);
  if (word == status_words.end()) return std::nullopt;
  return static_cast<Status>(word - status_words.begin());
}

std::string_view complaint_about_message(const Ended& ended) {
  const bool silent = ended.message.empty();
  if (ended.status != Status::ok)
    return silent ? "it did not end well, and no message says why" : "";
  return silent || ended.message == hung_at_its_end ||
                 ended.message.starts_with(quarrelled_at_its_end)
             ? ""
             : "it ended well, and yet there is a message";
}

namespace {

/// Reads the parameters of a task from its row.
class TaskReader {
 public:
  explicit TaskReader(const CsvRow& row) : row_(row) {}

  Scenario task(std::string_view kind);

  /// Whether there was a column for every parameter.
  bool whole() const { return whole_; }

 private:
  /// What an older version of regroup does not tell was as is usual.
  std::string value(const OptionSpec& spec) {
    if (!row_.has(spec.name) && !spec.fallback.empty()) {
      whole_ = false;
      return std::string(spec.fallback);
    }
    return row_[spec.name];
  }

  std::string checked(const OptionSpec& spec) {
    std::string text = value(spec);
    if (const std::string wrong = complaint(spec, text); !wrong.empty()) fail_in_row(row_, wrong);
    return text;
  }

  Options options(const Entry& entry) {
    Options options;
    for (const OptionSpec& spec : entry.options) {
      options.set(std::string(spec.name), checked(spec));
    }
    return options;
  }

  void set_named(const Parameter& parameter, Scenario& task);

  const CsvRow& row_;
  bool whole_ = true;
};

/// Sets a parameter that names a row of a list.
void TaskReader::set_named(const Parameter& parameter, Scenario& task) {
  const std::string name = value(parameter.spec);
  set(parameter, task, name);
  if (name.empty() && parameter.may_be_empty) return;
  const Entry* entry = find_entry(parameter.list(), name);
  if (entry == nullptr) {
    fail_in_row(row_, fmt::format("unknown {} '{}'", parameter.spec.name, name));
  }
  if (const auto* choice = std::get_if<Choice Scenario::*>(&parameter.member)) {
    (task.**choice).options = options(*entry);
  }
}

Scenario TaskReader::task(std::string_view kind) {
  Scenario task;
  task.experiment = row_["experiment"];
  if (const MeasurementKind* measured = find_entry(standard_catalog().measurements, kind)) {
    task.measure = {std::string(kind), options(*measured)};
  }
  for (const Parameter& parameter : parameters()) {
    if (!parameter.is_column() || !parameter.applies(kind)) continue;
    if (parameter.list == nullptr) {
      set(parameter, task, checked(parameter.spec));
    } else {
      set_named(parameter, task);
    }
  }
  if (row_.has("inputs_hash")) task.inputs = row_["inputs_hash"];
  if (task.groups == equal_groups) return task;
  try {
    starting_groups(task);
  } catch (const std::invalid_argument& error) {
    fail_in_row(row_, error.what());
  }
  return task;
}

/// Facts may be missing in rows of older versions, or have no meaning.
template <class Number>
Number fact(const CsvRow& row, std::string_view column) {
  return !row.has(column) || row[column].empty() ? Number() : number<Number>(row, column);
}

std::string text(const CsvRow& row, std::string_view column) {
  return row.has(column) ? row[column] : "";
}

/// Older versions wrote all events, and did not say so.
EventDetail event_detail_in(const CsvRow& row) {
  if (!row.has("events") || row["events"].empty()) return EventDetail::all;
  if (const auto detail = event_detail_named(row["events"])) return *detail;
  fail_in_row(row, fmt::format("unknown events '{}'", row["events"]));
}

/// Older versions counted no nodes, but cores: that the processes were somewhere is known then.
Placement placement_in(const CsvRow& row, int ranks) {
  Placement where;
  where.cores = fact<int>(row, "cores");
  where.crowded = row.has("oversubscribed") ? row["oversubscribed"] == "yes" : ranks > where.cores;
  where.nodes = row.has("nodes") ? fact<int>(row, "nodes") : where.cores > 0 ? 1 : 0;
  where.ranks_per_node_min = fact<int>(row, "ranks_per_node_min");
  where.ranks_per_node_max = fact<int>(row, "ranks_per_node_max");
  where.placement = text(row, "placement");
  where.groups_across_nodes = fact<int>(row, "groups_across_nodes");
  where.job_id = text(row, "job_id");
  where.load_average_before = fact<double>(row, "load_average_before");
  return where;
}

}  // namespace

Record stored_record(const CsvRow& row, std::string_view kind) {
  Record record;
  TaskReader reader(row);
  record.task = reader.task(kind);
  record.whole = reader.whole();
  const auto status = status_named(row["status"]);
  if (!status) fail_in_row(row, fmt::format("unknown status '{}'", row["status"]));
  record.status = *status;
  record.message = row["message"];
  record.version = row["regroup_version"];
  record.wall_s = fact<double>(row, "wall_s");
  record.memory_mb = fact<double>(row, "memory_mb");
  record.began = text(row, "began");
  record.events = event_detail_in(row);
  if (record.status != Status::ok) return record;
  Outcome& outcome = record.outcome.emplace();
  outcome.where = placement_in(row, record.task.ranks);
  outcome.waiting = row["waited"];
  outcome.library = row["mpi_library"];
  outcome.setup_s = fact<double>(row, "setup_s");
  outcome.clock_error_us = fact<double>(row, "clock_error_us");
  if (record.task.is_run()) {
    outcome.communicators_alive_max = fact<int>(row, "communicators_alive_max");
    outcome.communicators_left = fact<int>(row, "communicators_left");
    outcome.chains_hash = text(row, "chains_hash");
    outcome.hand_over_bytes = fact<std::int64_t>(row, "hand_over_bytes");
    outcome.hand_over_s = fact<double>(row, "hand_over_s");
    outcome.cpu_s = fact<double>(row, "cpu_s");
    outcome.enough_items = fact<std::int64_t>(row, "enough_items");
    outcome.resumed_items = fact<std::int64_t>(row, "resumed_items");
    for (const char* column : {"makespan_s", "ideal_s", "regroups_avg", "regroups_stdev",
                               "regroups_min", "regroups_max"}) {
      number<double>(row, column);
    }
    return record;
  }
  for (const Figure& figure : find_entry(standard_catalog().measurements, kind)->figures) {
    if (!row.has(figure.name) || row[figure.name].empty()) continue;
    outcome.figures[std::string(figure.name)] = number<double>(row, figure.name);
  }
  return record;
}

void each_stored(const std::string& directory, std::string_view kind,
                 const std::function<void(const CsvRow& row, Record record)>& visit) {
  const std::string path = directory + "/" + file_of(kind);
  check_schema(path);
  CsvReader reader(path);
  const InvocationNames invocations(directory);
  while (reader.next()) {
    const CsvRow row = reader.row();
    Record record = stored_record(row, kind);
    if (row.has("invocation")) record.invocation = invocations.of(row["invocation"]);
    visit(row, std::move(record));
  }
  reader.fail_if_torn();
}

std::vector<Record> stored_records(const std::string& directory, std::string_view kind) {
  std::vector<Record> records;
  each_stored(directory, kind,
              [&](const CsvRow&, Record record) { records.push_back(std::move(record)); });
  return records;
}

}  // namespace regroup
