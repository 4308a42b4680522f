// SPDX-License-Identifier: BSD-3-Clause
//
// Fuzzes the readers of creation.csv, collectives.csv, steps.csv, items.csv and sort.csv, their
// summaries and `regroup verify`. An input that looks like samples.csv is stored together with a
// valid steps.csv.
#include <filesystem>

#include "driver/check/verify.hpp"
#include "driver/store/provenance.hpp"
#include "driver/store/table.hpp"
#include "kernel/files/files.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/tasks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace regroup;
  const std::string_view text = fuzz::text_of(data, size);
  const std::string& directory = fuzz::directory();
  static const std::string provenance_file =
      fuzz::write("provenance.yaml", provenance(Configuration(), "", "", 1));
  const auto verify_all = [&] { fuzz::accepted(directory, [&] { verify(directory, catalog()); }); };
  if (text.substr(0, text.find('\n')).find("value_s") != text.npos) {
    static const std::string whole = read_file(FUZZ_STEPS).value();
    const std::string main = fuzz::write("steps.csv", whole);
    const std::string path = fuzz::write("samples.csv", text);
    verify_all();
    std::filesystem::remove(main);
    std::filesystem::remove(path);
    return 0;
  }
  for (const MeasurementKind& kind : catalog().measurements) {
    const std::string path = fuzz::write(std::string(kind.name) + ".csv", text);
    fuzz::accepted(directory, [&] { print_measurements(kind, directory, "text", {}, catalog()); });
    verify_all();
    std::filesystem::remove(path);
  }
  return 0;
}
