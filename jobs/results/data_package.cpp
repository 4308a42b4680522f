// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/results/data_package.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "kernel/files/schema.hpp"

namespace regroup {
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
