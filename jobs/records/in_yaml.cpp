// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/records/in_yaml.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace regroup {

std::string in_yaml(const nlohmann::json& value) {
  std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> ends{
      {{"\xe2\x80\xa8", "\\u2028"}, {"\xe2\x80\xa9", "\\u2029"}}};
  for (const auto& [end, escaped] : ends) {
    for (auto at = text.find(end); at != text.npos; at = text.find(end, at + escaped.size())) {
      text.replace(at, end.size(), escaped);
    }
  }
  return text;
}

}  // namespace regroup
