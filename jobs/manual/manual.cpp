// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/manual/manual.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "jobs/manual/complete.hpp"
#include "jobs/manual/man_pages.hpp"
#include "jobs/manual/subcommands.hpp"
#include "jobs/words/console.hpp"
#include "jobs/words/did_you_mean.hpp"
#include "kernel/files/plain_text.hpp"
#include "kernel/files/user_error.hpp"

namespace regroup {
namespace {

using Words = std::vector<std::string>;

void add_list(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "list", "List engines, balancers, strategies, workloads and walkers with their options");
  command->footer(about_lists);
  const auto word = std::make_shared<std::string>();
  const auto format = std::make_shared<std::string>("text");
  command->add_option("word", *word, "one list only");
  command
      ->add_option("--format", *format,
                   "text, markdown (tables) or json: without a word, of all that a word names")
      ->check(CLI::IsMember({"text", "markdown", "json"}));
  command->callback([=] { print_lists(*word, *format); });
}

/// The command that `words` lead to, beginning at `app`.
const CLI::App& command_called(const CLI::App& app, const Words& words) {
  const CLI::App* command = &app;
  for (const std::string& word : words) {
    const CLI::App* inner = subcommand(*command, word);
    if (inner == nullptr) {
      const Words names = names_of_subcommands(*command);
      throw UserError(fmt::format("there is no subcommand '{}'{}; allowed: {}", one_line(word),
                                  did_you_mean(word, names), fmt::join(names, " | ")));
    }
    command = inner;
  }
  return *command;
}

void add_help(CLI::App& app) {
  CLI::App* command = app.add_subcommand("help", "Show what a subcommand does, and its options");
  const auto words = std::make_shared<Words>();
  command->add_option("command", *words, "its name [all of them]");
  command->callback([words, &app] {
    const CLI::App& asked = command_called(app, *words);
    const std::string name =
        fmt::format("{}{}{}", app.get_name(), words->empty() ? "" : " ", fmt::join(*words, " "));
    tell_text(asked.get_formatter()->make_help(&asked, name, CLI::AppFormatMode::Normal));
  });
}

void add_man(CLI::App& app) {
  CLI::App* command = app.add_subcommand("man", "Print a page of the manual, for man(1)");
  Words names;
  for (const ManPage& page : man_pages()) names.push_back(app.get_name() + page.name);
  command->footer(
      fmt::format("  {0} man | man -l -              this page by page\n"
                  "  {0} man {0}-config | man -l -    keys of configurations\n"
                  "  {0} man {0}-results | man -l -   columns of results\n",
                  app.get_name()));
  const auto name = std::make_shared<std::string>(names.front());
  command->add_option("page", *name, fmt::format("[{}]", names.front()))
      ->check(CLI::IsMember(names));
  command->callback([name, &app] {
    for (const ManPage& page : man_pages()) {
      if (app.get_name() + page.name == *name) tell_text(man_page(page, app));
    }
  });
}

void add_completion(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("completion", "Print a script that makes a shell complete what is typed");
  command->footer(
      fmt::format("  bash:  eval \"$({0} completion bash)\"          in ~/.bashrc\n"
                  "  zsh:   eval \"$({0} completion zsh)\"           in ~/.zshrc\n"
                  "  fish:  {0} completion fish | source           in config.fish\n"
                  "Subcommands, options and their words are completed, and behind "
                  "--set keys and what they may be.\n",
                  app.get_name()));
  const auto shell = std::make_shared<std::string>();
  const Words shells(std::begin(completed_shells), std::end(completed_shells));
  command->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember(shells));
  command->callback([shell, &app] { tell_text(completion_script(*shell, app.get_name())); });
}

/// What the scripts ask; nobody types it.
void add_complete(CLI::App& app) {
  CLI::App* command = app.add_subcommand("complete", "What may stand next on a command line");
  command->group("");  // is in no list
  const auto words = std::make_shared<Words>();
  command->add_option("words", *words, "those of the line behind the program, the last one begun");
  command->callback([words, &app] {
    for (const Candidate& one : complete(app, *words)) {
      tell("{}\t{}\n", one.word, one_line(one.help));
    }
  });
}

}  // namespace

void add_manual(CLI::App& app) {
  add_list(app);
  add_help(app);
  add_man(app);
  add_completion(app);
  add_complete(app);
}

}  // namespace regroup
