// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/manual/man_pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "jobs/manual/lists.hpp"
#include "jobs/manual/subcommands.hpp"
#include "jobs/version.hpp"

namespace regroup {
namespace {

/// `text` for roff, which takes backslashes, hyphens, and some lines by their beginning as its own.
std::string escaped(std::string_view text) {
  std::string result;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    begins = c == '\n';
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '`') {
      result += "\\(oq";
    } else {
      result += c;
    }
  }
  return result;
}

std::string without_ticks(std::string text) {
  std::erase(text, '`');
  return text;
}

std::string capitals(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

class Page {
 public:
  Page(const std::string& name, int section) {
    text_ = fmt::format(".TH {} {} \"\" \"Regroup {}\" \"Regroup\"\n", capitals(name), section,
                        version);
  }

  void section(std::string_view title) { text_ += fmt::format(".SH {}\n", escaped(title)); }
  void subsection(std::string_view title) { text_ += fmt::format(".SS {}\n", escaped(title)); }
  void line(std::string_view text) { text_ += escaped(text) + "\n"; }
  void synopsis(std::string_view bold, std::string_view rest) {
    text_ += fmt::format("\\fB{}\\fR {}\n.br\n", escaped(bold), escaped(rest));
  }
  void paragraph(std::string_view text) { text_ += ".PP\n" + escaped(text) + "\n"; }
  /// Lines stay as they are.
  void as_it_is(std::string_view text) {
    text_ += ".PP\n.nf\n" + escaped(text) + (text.ends_with('\n') ? "" : "\n") + ".fi\n";
  }
  void item(std::string_view name, std::string_view text) {
    text_ += fmt::format(".TP\n.B {}\n{}\n", escaped(name), escaped(text));
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_options(Page& page, const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_name() == "--help" || option->get_lnames() == std::vector<std::string>{"help"})
      continue;
    const bool positional = option->get_positional();
    const std::string name = option->get_name(positional, true);
    const std::string type = option->get_expected_max() == 0 ? "" : option->get_type_name();
    const std::string shown = positional ? capitals(name) : name + (type.empty() ? "" : " " + type);
    page.item(shown, option->get_description());
  }
}

void add_command(Page& page, const CLI::App& command, const std::string& before) {
  const std::string name = before + command.get_name();
  page.subsection(name);
  page.paragraph(command.get_description() + ".");
  add_options(page, command);
  if (const std::string footer = command.get_footer(); !footer.empty()) page.as_it_is(footer);
  for (const CLI::App* inner : subcommands_of(command)) {
    add_command(page, *inner, name + " ");
  }
}

std::string words_of(const ConfigKey& key) {
  const std::string fallback = key.fallback.empty() ? "must be given" : "default: " + key.fallback;
  return without_ticks(fmt::format("{}. Allowed: {}; {}{}.", key.help, key.allowed, fallback,
                                   key.list ? "; one value or a list" : ""));
}

void add_list(Page& page, const List& list) {
  for (const ListRow& row : list.rows) {
    std::string text = row.help;
    for (const std::string& note : row.notes) text += fmt::format(" [{}]", note);
    if (row.content) text += fmt::format(" [{}]", name(row.content->type));
    page.item(row.name, without_ticks(text));
    for (const ConfigKey& key : row.options) {
      page.item("    " + key.name, words_of(key));
    }
  }
  for (const ConfigKey& key : list.keys) page.item(key.name, words_of(key));
}

void add_about_command(Page& page, const CLI::App& app) {
  page.section("SYNOPSIS");
  for (const CLI::App* command : subcommands_of(app)) {
    std::string behind = "[OPTION...]";
    for (const CLI::Option* option : command->get_options()) {
      if (!option->get_positional()) continue;
      const std::string name = capitals(option->get_name(true, true));
      behind += option->get_required() ? " " + name : fmt::format(" [{}]", name);
    }
    page.synopsis(app.get_name() + " " + command->get_name(), behind);
  }
  page.section("DESCRIPTION");
  page.as_it_is(app.get_description());
  page.section("COMMANDS");
  for (const CLI::App* command : subcommands_of(app)) add_command(page, *command, "");
}

void add_about_configurations(Page& page) {
  page.section("DESCRIPTION");
  page.line(
      "A configuration is one YAML file. A key that is a list takes one value or several; what is "
      "executed is every combination of the values of all keys. With the key measure it is of "
      "measurements of that kind, otherwise of runs.");
  for (const List& list : lists_of_files()) {
    if (list.keys.empty()) continue;
    page.section(capitals(list.title));
    add_list(page, list);
  }
  for (const List& list : lists_of_choices()) {
    if (list.rows.empty()) continue;
    page.section(capitals(list.title));
    add_list(page, list);
  }
}

void add_about_results(Page& page) {
  page.section("DESCRIPTION");
  page.line(
      "Results are a directory of CSV files, each with a line of headings. A row says which clock "
      "its times are of, how many ranks ran on how many cores, and of which invocation it is; "
      "provenance.yaml tells of each invocation.");
  for (const List& list : lists_of_files()) {
    if (list.noun != "column") continue;
    page.section(capitals(list.title));
    add_list(page, list);
  }
}

}  // namespace

const std::vector<ManPage>& man_pages() {
  static const std::vector<ManPage> pages{
      {"", 1, "benchmarks of dynamic load balancing of walker groups on MPI"},
      {"-config", 5, "configurations of runs and measurements"},
      {"-results", 5, "files and columns of results"},
  };
  return pages;
}

std::string man_page(const ManPage& asked, const CLI::App& app) {
  const std::string name = app.get_name() + asked.name;
  Page page(name, asked.section);
  page.section("NAME");
  page.line(fmt::format("{} - {}", name, asked.help));
  if (asked.name.empty()) {
    add_about_command(page, app);
  } else if (asked.name == "-config") {
    add_about_configurations(page);
  } else {
    add_about_results(page);
  }
  page.section("SEE ALSO");
  std::vector<std::string> others;
  for (const ManPage& other : man_pages()) {
    if (other.name == asked.name) continue;
    others.push_back(fmt::format("{}{}({})", app.get_name(), other.name, other.section));
  }
  page.line(fmt::format("{}", fmt::join(others, ", ")));
  return page.text();
}

}  // namespace regroup
