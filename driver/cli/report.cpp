// SPDX-License-Identifier: BSD-3-Clause
//
// The scripts of plots/, which lie beside this program or are installed with it.
#include "driver/cli/report.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "kernel/text/plain_text.hpp"

namespace regroup {
namespace {

/// The path of plots/NAME of the tree that this program was built in, or of the installation.
/// Throws UserError, with `instead` behind what it says, where there is none.
std::string plot_script(const std::string& name, const std::string& instead = "");

/// Runs a program, whose path is the first of `words`, on our standard streams. Answers its exit
/// code; 1 where a signal ended it. Throws UserError where it cannot be started.
int run_script(std::vector<std::string> words);

namespace fs = std::filesystem;

std::string plot_script(const std::string& name, const std::string& instead) {
  const fs::path own = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& plots :
       {own.parent_path() / "plots", own.parent_path() / "share" / "regroup" / "plots"}) {
    if (fs::exists(plots / name)) return (plots / name).string();
  }
  throw UserError(fmt::format("no plots/{} beside {}{}", name, own.string(), instead));
}

int run_script(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawn(&child, arguments[0], nullptr, nullptr, arguments.data(), environ);
  if (error != 0) throw UserError(fmt::format("{}: {}", words[0], std::strerror(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

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
