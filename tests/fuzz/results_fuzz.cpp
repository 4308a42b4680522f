// SPDX-License-Identifier: BSD-3-Clause
//
// The readers of the files of a sweep: what `regroup table` and `regroup verify` make of them. The
// input takes the place of the file that its first line looks like; the others are whole.
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
  std::string_view mark;  // in its first line, and not in those of the files behind it
};
constexpr std::array files{File{"regroups.csv", "processes"}, File{"events.csv", "time_s"},
                           File{"runs.csv", ""}};

const File& file_like(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  return *std::ranges::find_if(files,
                               [&](const File& f) { return first.find(f.mark) != first.npos; });
}

/// A directory of whole results.
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
