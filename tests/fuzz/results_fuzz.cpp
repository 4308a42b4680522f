// SPDX-License-Identifier: BSD-3-Clause
//
// Fuzzes the readers of a sweep's files, as used by `regroup table` and `regroup verify`. The input
// replaces the file whose header its first line resembles; the other files are valid.
#include <algorithm>
#include <array>
#include <filesystem>

#include "driver/check/verify.hpp"
#include "driver/cli/commands.hpp"
#include "kernel/files/files.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/tasks.hpp"

namespace regroup {
namespace {

struct File {
  std::string_view name;
  std::string_view mark;  // text in its first line that the files after it in the table lack
};
constexpr std::array files{File{"regroups.csv", "processes"}, File{"events.csv", "time_s"},
                           File{"runs.csv", ""}};

const File& file_like(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  return *std::ranges::find_if(files,
                               [&](const File& f) { return first.find(f.mark) != first.npos; });
}

/// Creates a directory with valid results; returns its path.
std::string make_results() {
  const std::string directory = fuzz::directory() + "/results";
  SweepOptions options;
  options.directory = directory;
  run_sweep(read_experiment(std::string(FUZZ_SWEEP), catalog()), options);
  fuzz::expect(verify(directory, catalog()) == 0, "whole results are not verified");
  return directory;
}

std::string whole_text(const std::string& directory, std::string_view name) {
  return read_file(directory + "/" + std::string(name)).value();
}

}  // namespace
}  // namespace regroup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace regroup;
  static const std::string directory = make_results();
  static const std::array whole{whole_text(directory, files[0].name),
                                whole_text(directory, files[1].name),
                                whole_text(directory, files[2].name)};
  const std::string_view text = fuzz::text_of(data, size);
  const File& file = file_like(text);
  fuzz::write("results/" + std::string(file.name), text);
  for (const char* format : {"text", "latex"}) {
    if (!fuzz::accepted(directory, [&] {
          print_table({directory, format, {}, {}, false}, catalog());
        }))
      break;
  }
  fuzz::accepted(directory, [&] { verify(directory, catalog()); });
  fuzz::write("results/" + std::string(file.name),
              whole[static_cast<std::size_t>(&file - files.data())]);
  return 0;
}
