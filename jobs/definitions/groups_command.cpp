// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/definitions/groups_command.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "jobs/definitions/check.hpp"
#include "jobs/definitions/draw.hpp"
#include "jobs/definitions/make.hpp"
#include "jobs/words/console.hpp"

namespace regroup {
namespace {

constexpr const char* about_files =
    "FILE defines communicators by name, in YAML or in XML; 'docs/named-communicators.md' has "
    "both:\n"
    "  communicators:\n"
    "    - name: RED\n"
    "      members: [pd-01, 'pd-02:0', 'pd-1[0-9]', 4-7]   # processors, expressions, ranks\n"
    "      communicators: [{name: PINK, members: [pd-01]}]\n";

void add_definitions(CLI::App* command, AskedDefinitions& asked) {
  command->add_option("file", asked.file, "the file of definitions")->required();
  command->add_option("--ranks", asked.ranks, "number of processes [the slots of --hosts]")
      ->check(CLI::Range(1, 1 << 24));
  command->add_option("--hosts", asked.hosts,
                      "on which processors they are, filled one after the other: a hostfile, or "
                      "NAME:SLOTS,NAME,…");
}

void add_check(CLI::App& groups) {
  CLI::App* command = groups.add_subcommand(
      "check", "Print the tree of groups that a file defines, and who is in them");
  command->footer(about_files);
  const auto asked = std::make_shared<AskedDefinitions>();
  add_definitions(command, *asked);
  const auto format = std::make_shared<std::string>("text");
  command->add_option("--format", *format, "text or json")->check(CLI::IsMember({"text", "json"}));
  command->callback([asked, format] {
    asked->json = *format == "json";
    tell("{}", groups_of_file(*asked));
  });
}

void add_draw(CLI::App& groups, int& code) {
  CLI::App* command = groups.add_subcommand(
      "draw",
      "Make a picture of the groups that a file defines: every process a number, every "
      "communicator a box");
  command->footer(
      "plots/groups.py draws it, with Python and matplotlib; it prints the names of the picture,\n"
      "which is a PNG and an SVG.");
  const auto asked = std::make_shared<AskedDefinitions>();
  add_definitions(command, *asked);
  const auto picture = std::make_shared<AskedPicture>();
  command->add_option("--columns", picture->columns, "processes in a row [a square]")
      ->check(CLI::Range(1, 1 << 24));
  command->add_option("--names", picture->names,
                      "only communicators of these names, with commas between");
  command->add_option("--out", picture->output, "the picture, without its ending [that of FILE]");
  command->callback([asked, picture, &code] { code = draw_groups(*asked, *picture); });
}

void add_make(CLI::App& groups) {
  CLI::App* command = groups.add_subcommand("make", "Print a file that defines groups");
  command->footer("Ranks are given by number. What is printed can be edited, and read by 'check'.");
  const auto asked = std::make_shared<AskedGroups>();
  command->add_option("--name", asked->name, "of all groups [GROUP]");
  command->add_option("--ranks", asked->ranks, "number of processes")
      ->check(CLI::Range(1, 1 << 24));
  command->add_option("--group-size", asked->group_size, "so many consecutive ranks in each")
      ->check(CLI::Range(1, 1 << 24));
  command->add_option("--hosts", asked->hosts,
                      "one group for each host: a hostfile, or NAME:SLOTS,NAME,…");
  command
      ->add_option("--machine", asked->part,
                   "one for each node, package (socket) or l3 (cache that cores share) of this "
                   "machine, with a rank on each of its cores")
      ->check(CLI::IsMember({"node", "package", "l3"}));
  command->add_option("--run", asked->results,
                      "those that a run ended with, in this directory of results");
  command->add_option("--id", asked->run, "… this run, where there are several");
  command->callback([asked] { tell("{}", groups_file(*asked)); });
}

}  // namespace

void add_groups_command(CLI::App& app, int& code) {
  CLI::App* groups = app.add_subcommand(
      "groups", "Files that define communicators by name: who is in them, and new ones");
  groups->require_subcommand(1);
  add_check(*groups);
  add_draw(*groups, code);
  add_make(*groups);
}

}  // namespace regroup
