// SPDX-License-Identifier: BSD-3-Clause
//
// The readers of creation.csv, collectives.csv, steps.csv, items.csv and sort.csv: their summaries,
// and what verify makes of them. An input that looks like samples.csv stands beside a whole
// steps.csv.
#include <filesystem>

#include "driver/cli/commands.hpp"
#include "driver/store/run_files.hpp"
#include "driver/store/summaries.hpp"
#include "kernel/files/files.hpp"
#include "tests/fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace regroup;
  const std::string_view text = fuzz::text_of(data, size);
  if (text.substr(0, text.find('\n')).find("value_s") != text.npos) {
    static const std::string whole = read_file(FUZZ_STEPS).value();
    const std::string main = fuzz::write("steps.csv", whole);
    const std::string path = fuzz::write(samples_file, text);
    fuzz::accepted(fuzz::directory(), [&] { verify(fuzz::directory()); });
    std::filesystem::remove(main);
    std::filesystem::remove(path);
    return 0;
  }
  for (const MeasurementKind& kind : measurement_kinds()) {
    const std::string path = fuzz::write(std::string(kind.name) + ".csv", text);
    fuzz::accepted(path, [&] { print_summary(kind, fuzz::directory()); });
    fuzz::accepted(fuzz::directory(), [&] { verify(fuzz::directory()); });
    std::filesystem::remove(path);
  }
  return 0;
}
