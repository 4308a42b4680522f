// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "jobs/results/checksums.hpp"
#include "jobs/verify/verify.hpp"

namespace regroup {

bool is_unfinished(const std::string& directory) {
  return std::filesystem::exists(directory + "/lock");
}

void verify_checksums(const std::string& directory, const std::vector<std::string>& files,
                      Faults& faults) {
  const std::string path = fmt::format("{}/{}", directory, checksums_file);
  if (!std::filesystem::exists(path)) {
    faults.unchecked(fmt::format("what cannot be computed anew: there is no {}", path));
    return;
  }
  const SumsByFile sums = read_checksums(directory);
  for (const std::string& file : files) {
    if (!sums.contains(file)) faults.add(path, 0, fmt::format("there is no sum of {}", file));
  }
  for (const auto& [file, sum] : sums) {
    const std::string sealed = fmt::format("{}/{}", directory, file);
    if (!std::filesystem::is_regular_file(sealed)) {
      faults.add(sealed, 0, "there is no such file, but a checksum of it");
      continue;
    }
    const Sameness sameness = compare(sealed, sum);
    if (sameness == Sameness::grown && is_unfinished(directory)) {
      faults.unchecked(fmt::format("checksum of the end of {}: the sweep has not ended", sealed));
    } else if (sameness != Sameness::same) {
      faults.add(sealed, 0, "it is not as it was written: its checksum is another one");
    }
  }
}

void check_end(const CsvReader& reader, bool unfinished, Faults& faults) {
  if (reader.torn() == 0) return;
  const std::string what = "the last row has no end";
  if (unfinished) {
    faults.unchecked(
        fmt::format("{}:{}: {}: the sweep has not ended", reader.path(), reader.torn(), what));
  } else {
    faults.add(reader.path(), reader.torn(), what);
  }
}

void compare_columns(const std::string& path, const std::vector<std::string>& columns,
                     const std::vector<std::string>& known, Faults& faults) {
  const auto have = [](const std::vector<std::string>& all, const std::string& column) {
    return std::ranges::find(all, column) != all.end();
  };
  for (const std::string& column : known) {
    if (have(columns, column)) continue;
    faults.unchecked(fmt::format("column '{}', which {} does not have", column, path));
  }
  for (const std::string& column : columns) {
    if (have(known, column)) continue;
    faults.unchecked(
        fmt::format("column '{}' of {}, which this regroup does not know", column, path));
  }
}

}  // namespace regroup
