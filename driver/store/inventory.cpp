// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/inventory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "driver/store/record.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/text/plain_text.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

std::string rows_column(const ResultFile& file) {
  return std::filesystem::path(file.name).stem().string() + "_rows";
}

void check_columns(const CsvReader& reader, const std::string& path, const ResultFile& file) {
  if (reader.columns() == names_of(file.columns)) return;
  throw UserError(
      fmt::format("{}:1: written by another version of regroup, whose columns differ; "
                  "--overwrite starts anew, --out names another directory",
                  path));
}

std::uint64_t run_in(const CsvReader& reader) {
  const std::string& text = reader.row().fields.front();
  const auto run = hash_from(text);
  if (!run) fail_in_row(reader.row(), fmt::format("'{}' is no fingerprint of a run", text));
  return *run;
}

}  // namespace

std::vector<ResultFile> Inventory::tables(std::vector<ResultFile> files) {
  std::vector<ResultColumn>& first = files.front().columns;
  first.push_back({"invocation", content::integer,
                   "the invocation of the command that wrote the row: a document of "
                   "`provenance.yaml`"});
  for (std::size_t i = 1; i < files.size(); ++i) {
    first.push_back({rows_column(files[i]), content::integer,
                     fmt::format("rows of the run in `{}`", files[i].name)});
  }
  return files;
}

std::vector<std::string> Inventory::lines(std::vector<std::string> lines, int invocation) {
  std::string& row = lines.front();
  row.pop_back();  // the end of the line
  row += fmt::format(",{}", invocation);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    row += fmt::format(",{}", std::ranges::count(lines[i], '\n'));
  }
  row += '\n';
  return lines;
}

Inventory::Inventory(const std::string& directory, const std::vector<ResultFile>& files)
    : directory_(directory), files_(files), whole_(files.size(), false) {
  std::vector<Counts> expected = read_tasks();
  for (std::size_t i = 1; i < files_.size(); ++i) count_rows(i, std::move(expected[i]));
}

/// Answers how many rows each task must have in each table.
std::vector<Inventory::Counts> Inventory::read_tasks() {
  std::vector<Counts> expected(files_.size());
  const std::string path = directory_ + "/" + files_.front().name;
  if (!std::filesystem::exists(path)) return expected;
  check_schema(path);
  CsvReader reader(path);
  check_columns(reader, path, files_.front());
  const std::size_t status = reader.column("status");
  const std::size_t invocation = reader.column("invocation");
  std::vector<std::size_t> counts{0};
  for (std::size_t i = 1; i < files_.size(); ++i) {
    counts.push_back(reader.column(rows_column(files_[i])));
  }
  while (reader.next()) {
    const std::uint64_t run = run_in(reader);
    if (!places_.emplace(run, tasks_.size()).second) {
      fail_in_row(reader.row(), fmt::format("a second row of run {}", hash_digits(run)));
    }
    const CsvRow row = reader.row();
    const auto how = status_named(row.fields[status]);
    if (!how) fail_in_row(row, fmt::format("unknown status '{}'", row.fields[status]));
    tasks_.push_back({run, number<int>(row, invocation), *how == Status::ok, false, false});
    for (std::size_t i = 1; i < files_.size(); ++i) {
      expected[i].push_back(number<std::int64_t>(row, counts[i]));
    }
  }
  whole_.front() = reader.torn() == 0;
  return expected;
}

/// `missing`: how many rows each task must have.
void Inventory::count_rows(std::size_t file, Counts missing) {
  const std::string path = directory_ + "/" + files_[file].name;
  bool whole = std::filesystem::exists(path);
  if (whole) {
    CsvReader reader(path);
    check_columns(reader, path, files_[file]);
    while (reader.next()) {
      const auto place = places_.find(run_in(reader));
      if (place == places_.end()) {
        whole = false;
      } else {
        --missing[place->second];
      }
    }
    whole = whole && reader.torn() == 0;
  }
  whole_[file] = whole;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    if (missing[i] != 0) tasks_[i].lost_rows = true;
  }
}

void Inventory::forget(bool retry, const Chosen& again) {
  for (Task& task : tasks_) {
    const bool candidate = task.lost_rows || (retry && !task.ended_well);
    if (!candidate || !again(hash_digits(task.run))) continue;
    task.forgotten = true;
    whole_.assign(whole_.size(), false);
  }
}

bool Inventory::changes(std::size_t file) const { return !whole_[file]; }

bool Inventory::has(const std::string& run) const {
  const auto number = hash_from(run);
  return number && keeps(*number);
}

bool Inventory::keeps(std::uint64_t run) const {
  const auto place = places_.find(run);
  return place != places_.end() && !tasks_[place->second].forgotten;
}

std::set<int> Inventory::invocations() const {
  std::set<int> numbers;
  for (const Task& task : tasks_) {
    if (!task.forgotten) numbers.insert(task.invocation);
  }
  return numbers;
}

std::size_t Inventory::damaged() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      tasks_, [](const Task& task) { return task.lost_rows && !task.forgotten; }));
}

std::string Inventory::write(std::size_t file, Draft& draft) const {
  draft.write(csv_line(names_of(files_[file].columns)));
  if (!std::filesystem::exists(draft.path())) return {};
  CsvReader reader(draft.path());
  std::size_t left_out = 0;
  while (reader.next()) {
    if (keeps(run_in(reader))) {
      draft.write(reader.text());
    } else {
      ++left_out;
    }
  }
  std::vector<std::string> losses;
  if (left_out > 0) {
    losses.push_back(fmt::format(
        "{} row{} {}", left_out, left_out == 1 ? "" : "s",
        file == 0 ? "of what is done again"
                  : fmt::format("of what has no row in {}, or is done again", files_[0].name)));
  }
  if (reader.torn() > 0) losses.push_back("a last row that was cut off");
  return fmt::format("{}", fmt::join(losses, " and "));
}

namespace {

using Json = nlohmann::ordered_json;

std::string name_of(const ResultFile& table) {
  return std::filesystem::path(table.name).stem().string();
}

std::string_view table_schema_type(Content::Type type) {
  switch (type) {
    case Content::Type::integer:
      return "integer";
    case Content::Type::number:
      return "number";
    case Content::Type::yes_no:
      return "boolean";
    case Content::Type::time:
      return "datetime";
    case Content::Type::text:
    case Content::Type::choice:
      break;
  }
  return "string";
}

Json field(const ResultColumn& column) {
  const Content& content = column.content;
  Json json{{"name", column.name},
            {"type", table_schema_type(content.type)},
            {"description", column.help}};
  if (const auto unit = unit_of(column.name); !unit.empty()) json["unit"] = unit;
  if (content.type == Content::Type::yes_no) {
    json["trueValues"] = {"yes"};
    json["falseValues"] = {"no"};
  }
  Json constraints = Json::object();
  if (!content.may_be_empty) constraints["required"] = true;
  if (content.type == Content::Type::choice) constraints["enum"] = content.words;
  if (!constraints.empty()) json["constraints"] = constraints;
  return json;
}

}  // namespace

std::string data_package(std::span<const ResultFile> tables) {
  Json resources = Json::array();
  for (const ResultFile& table : tables) {
    Json fields = Json::array();
    for (const ResultColumn& column : table.columns) fields.push_back(field(column));
    Json table_schema{{"fields", fields}, {"missingValues", {""}}};
    if (&table == &tables.front()) {
      table_schema["primaryKey"] = "run";
    } else {
      table_schema["foreignKeys"] = Json::array(
          {{{"fields", "run"},
            {"reference", {{"resource", name_of(tables.front())}, {"fields", "run"}}}}});
    }
    resources.push_back({{"name", name_of(table)},
                         {"path", table.name},
                         {"profile", "tabular-data-resource"},
                         {"encoding", "utf-8"},
                         {"schema", table_schema}});
  }
  const Json package{{"profile", "tabular-data-package"},
                     {"name", "regroup-" + name_of(tables.front())},
                     {"title", "Results of Regroup"},
                     {"schema", schema},
                     {"resources", resources}};
  return package.dump(1) + "\n";
}

}  // namespace regroup
