// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/trace/trace_command.hpp"

#include <fmt/format.h>

#include <memory>

#include "jobs/trace/write_trace.hpp"
#include "jobs/words/console.hpp"

namespace regroup {
namespace {

constexpr const char* about_traces =
    "A thread, or location, for each rank: what it worked on, when it was idle, and when it formed "
    "a\n"
    "group. Times are those of the run: its clock is in the column 'clock' of runs.csv.\n"
    "  chrome   JSON for Perfetto (https://ui.perfetto.dev) and chrome://tracing\n"
    "  otf2     an archive for Vampir and the tools of Score-P, in a directory\n";

struct AskedTrace {
  std::string directory;
  std::string run;
  std::string format = "chrome";
  std::string ranks;
  std::string output;
};

void write(const AskedTrace& asked) {
  const TracedRun run = traced_run(asked.directory, asked.run, asked.ranks);
  const bool otf2 = asked.format == "otf2";
  std::string output = asked.output;
  if (output.empty()) {
    output = fmt::format("{}/{}.{}", asked.directory, run.name(), otf2 ? "otf2" : "trace.json");
  }
  otf2 ? write_otf2_trace(run, output) : write_chrome_trace(run, output);
  tell("{}\n", output + (otf2 ? "/trace.otf2" : ""));
}

}  // namespace

void add_trace_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("trace", "Write a run as a trace that viewers open");
  command->footer(about_traces);
  const auto asked = std::make_shared<AskedTrace>();
  command->add_option("directory", asked->directory, "directory of results")->required();
  command->add_option("run", asked->run,
                      "its name, in the column 'run' of runs.csv [the last that formed groups]");
  command->add_option("--format", asked->format, "chrome or otf2 [chrome]")
      ->check(CLI::IsMember({"chrome", "otf2"}));
  command->add_option("--ranks", asked->ranks, "FIRST-LAST: these alone [all]");
  command->add_option("-o,--output", asked->output,
                      "the file, or the directory of otf2 [DIRECTORY/RUN.trace.json or .otf2]");
  command->callback([asked] { write(*asked); });
}

}  // namespace regroup
