// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/allocation/notices.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace regroup {

bool is_notice(std::string_view line) {
  // All that these say of themselves, but for what they call an error.
  constexpr std::array<std::string_view, 4> speakers{
      "srun: ", "salloc: ", "slurmstepd: ", "flux-job: "};
  const auto speaker =
      std::ranges::find_if(speakers, [&](std::string_view name) { return line.starts_with(name); });
  if (speaker == speakers.end()) return false;
  line.remove_prefix(speaker->size());
  return !line.starts_with("error") && !line.starts_with("fatal");
}

std::string first_reason(const std::string& output, bool notices) {
  std::string notice;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" =\t") == line.npos) continue;
    if (!is_notice(line)) return line;
    if (notice.empty()) notice = line;
  }
  return notices ? notice : "";
}

}  // namespace regroup
