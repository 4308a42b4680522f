// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/selection/shard_directories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <tuple>

#include "kernel/numbers/parse.hpp"

namespace regroup {
namespace {

constexpr std::string_view before = "shard-";
constexpr std::string_view between = "-of-";

}  // namespace

std::string shard_directory(const Shard& shard) {
  return fmt::format("{}{}{}{}", before, shard.number, between, shard.of);
}

std::vector<std::string> shard_directories(const std::string& directory) {
  std::vector<std::tuple<int, int, std::string>> found;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(directory, none)) {
    const std::string file = entry.path().filename();
    const std::string_view name = file;
    const std::size_t middle = name.find(between);
    if (!name.starts_with(before) || middle == name.npos || !entry.is_directory(none)) continue;
    const auto number = parse<int>(name.substr(before.size(), middle - before.size()));
    const auto of = parse<int>(name.substr(middle + between.size()));
    if (number && of) found.emplace_back(*of, *number, directory + "/" + file);
  }
  std::ranges::sort(found);
  std::vector<std::string> all;
  for (const auto& [of, number, path] : found) all.push_back(path);
  return all;
}

}  // namespace regroup
