// SPDX-License-Identifier: BSD-3-Clause
//
// The readers of creation.csv, collectives.csv, steps.csv, items.csv and sort.csv: their summaries.
#include <filesystem>

#include "jobs/commands/commands.hpp"
#include "jobs/summaries/summaries.hpp"
#include "tests/fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace regroup;
  for (const MeasurementKind& kind : measurement_kinds()) {
    const std::string path =
        fuzz::write(std::string(kind.name) + ".csv", fuzz::text_of(data, size));
    fuzz::accepted(path, [&] { print_summary(kind, fuzz::directory()); });
    fuzz::accepted(fuzz::directory(), [&] { verify(fuzz::directory()); });
    std::filesystem::remove(path);
  }
  return 0;
}
