// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/results/circumstances.hpp"

#include <fmt/format.h>

#include "kernel/files/user_error.hpp"

namespace regroup {

void check_circumstances(const Results& results, const std::map<int, Circumstances>& known,
                         const Circumstances& ours, int own) {
  for (const int earlier : results.invocations()) {
    std::map<int, Circumstances> both{{own, ours}};
    if (known.contains(earlier)) both.emplace(earlier, known.at(earlier));
    const auto words = unlike(both, {earlier, own});
    if (words.at(earlier).empty()) continue;
    throw UserError(
        fmt::format("{} holds results of other circumstances: {}, now {}; --mixed adds to them, "
                    "and tables keep "
                    "them apart; --overwrite starts anew, --out names another directory",
                    results.directory(), words.at(earlier), words.at(own)));
  }
}

}  // namespace regroup
