// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/commands/report.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "jobs/words/plot_script.hpp"

namespace regroup {
namespace {

constexpr const char* about_reports =
    "One file that browsers open without network: what was run and where, the result in one\n"
    "sentence, the table, the pictures, a timeline of runs to zoom into, warnings, where it comes\n"
    "from, and the command to repeat it. With a second directory both stand beside each other,\n"
    "with the ratios of 'regroup compare'. plots/report.py makes it, with Python and its modules\n"
    "jinja2, plotly, matplotlib and pandas.\n"
    "Exit code: 0, or 2 for results that cannot be read, a module that is missing, or a mistake.";

struct AskedReport {
  std::vector<std::string> directories;
  std::vector<std::string> runs;
  std::string output;
};

int make_report(const AskedReport& asked) {
  std::vector<std::string> words{plot_script("report.py")};
  words.insert(words.end(),
               {"--regroup", std::filesystem::read_symlink("/proc/self/exe").string()});
  if (!asked.output.empty()) words.push_back("--output=" + asked.output);
  for (const std::string& run : asked.runs) words.push_back("--run=" + run);
  words.emplace_back("--");
  words.insert(words.end(), asked.directories.begin(), asked.directories.end());
  return run_script(std::move(words));
}

}  // namespace

void add_report_command(CLI::App& app, int& code) {
  CLI::App* command = app.add_subcommand("report", "Make a page of results, to look at and send");
  command->footer(about_reports);
  const auto asked = std::make_shared<AskedReport>();
  command
      ->add_option("directories", asked->directories,
                   "directory of results, or two to be seen beside each other")
      ->required()
      ->expected(1, 2);
  command
      ->add_option("--run", asked->runs,
                   "in the timeline: names in the column 'run' of runs.csv [one of each variant]")
      ->expected(1)
      ->take_all();
  command->add_option("-o,--output", asked->output, "the page [DIRECTORY/report.html]");
  command->callback([asked, &code] { code = make_report(*asked); });
}

}  // namespace regroup
