// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "jobs/manual/lists.hpp"
#include "kernel/files/schema.hpp"

namespace regroup {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const ConfigKey& key);
Json json_of(const ListRow& row);
Json json_of(const List& list);

template <class All>
Json list_of(const All& all) {
  Json list = Json::array();
  for (const auto& one : all) list.push_back(json_of(one));
  return list;
}

Json json_of(const ConfigKey& key) {
  return {{"name", key.name},
          {"allowed", key.allowed},
          {"default", key.fallback.empty() ? Json(nullptr) : Json(key.fallback)},
          {"list", key.list},
          {"meaning", key.help}};
}

void add(Json& row, const Content& content, std::string_view unit) {
  row["type"] = name(content.type);
  if (content.type == Content::Type::choice) row["words"] = content.words;
  row["unit"] = unit.empty() ? Json(nullptr) : Json(unit);
  row["may_be_empty"] = content.may_be_empty;
}

Json json_of(const ListRow& row) {
  Json json{{"name", row.name}};
  if (row.content) add(json, *row.content, unit_of(row.name));
  json["meaning"] = row.help;
  if (!row.notes.empty()) json["notes"] = row.notes;
  if (!row.lacking.empty()) json["lacking"] = row.lacking;
  if (!row.options.empty()) json["options"] = list_of(row.options);
  return json;
}

Json json_of(const List& list) {
  Json json{{"word", list.word}, {"title", list.title}};
  if (list.noun == "column") {
    json["columns"] = list_of(list.rows);
  } else if (list.keys.empty()) {
    json["rows"] = list_of(list.rows);
  } else {
    json["keys"] = list_of(list.keys);
  }
  return json;
}

}  // namespace

std::string as_json(const std::vector<List>& lists) {
  return Json{{"schema", schema}, {"lists", list_of(lists)}}.dump(1) + "\n";
}

}  // namespace regroup
