// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "jobs/manual/lists.hpp"
#include "jobs/manual/manual.hpp"
#include "jobs/words/console.hpp"
#include "jobs/words/did_you_mean.hpp"
#include "kernel/files/plain_text.hpp"
#include "kernel/files/user_error.hpp"

namespace regroup {
namespace {

/// "integer, or empty"; nothing where it is no column.
std::string type_of(const ListRow& row) {
  if (!row.content) return {};
  return fmt::format("{}{}", name(row.content->type),
                     row.content->may_be_empty ? ", or empty" : "");
}

std::string unit_in(const ListRow& row) {
  return std::string(row.content ? unit_of(row.name) : std::string_view());
}

void print_keys(const std::vector<ConfigKey>& keys) {
  for (const ConfigKey& key : keys) {
    fmt::print("      {}: {}; {}{}\n", key.name, key.help, key.allowed,
               key.fallback.empty() ? "" : fmt::format("; default {}", key.fallback));
  }
}

void print_rows(const std::vector<ListRow>& rows) {
  for (const ListRow& row : rows) {
    fmt::print("  {:<16} {}", row.name, row.help);
    std::vector<std::string> notes = row.notes;
    if (row.content) notes.push_back(type_of(row));
    if (!row.lacking.empty()) notes.insert(notes.begin() + 1, row.lacking);
    for (const std::string& note : notes) fmt::print(" [{}]", note);
    fmt::print("\n");
    print_keys(row.options);
  }
}

void print_plainly(const List& list) {
  fmt::print("{}\n", list.title);
  print_rows(list.rows);
  print_keys(list.keys);
}

std::string code(std::string_view text) { return fmt::format("`{}`", text); }

/// Without bars, which would end the cell.
std::string allowed_words(const std::string& allowed) {
  std::string words = allowed;
  const std::string_view bar = " | ";
  if (words.find(' ') != words.npos && words.find(bar) == words.npos) return words;
  for (std::size_t at = 0; (at = words.find(bar, at)) != words.npos;) words.replace(at, 3, "`, `");
  return code(words);
}

std::string fallback_words(const ConfigKey& key) {
  if (key.fallback.empty()) return "must be given";
  return key.fallback.find(' ') == std::string::npos ? code(key.fallback) : key.fallback;
}

/// An option, of all rows that have it in the same way.
struct SharedOption {
  ConfigKey key;
  std::vector<std::string> owners;
  std::vector<std::string> fallbacks;  // of each
};

std::vector<SharedOption> shared_options(const std::vector<ListRow>& rows) {
  std::vector<SharedOption> all;
  for (const ListRow& row : rows) {
    for (const ConfigKey& key : row.options) {
      const auto same = std::ranges::find_if(all, [&](const SharedOption& other) {
        return other.key.name == key.name && other.key.allowed == key.allowed &&
               other.key.help == key.help;
      });
      SharedOption& option =
          same == all.end() ? all.emplace_back(SharedOption{key, {}, {}}) : *same;
      option.owners.push_back(code(row.name));
      option.fallbacks.push_back(fallback_words(key));
    }
  }
  return all;
}

/// One value where all rows have the same, otherwise each in the order of the rows.
std::string fallbacks(const SharedOption& option) {
  const auto& all = option.fallbacks;
  const bool same = std::ranges::count(all, all.front()) == std::ssize(all);
  return same ? all.front() : fmt::format("{}", fmt::join(all, ", "));
}

/// A table, but for columns that are empty in all rows.
void print_table(const std::vector<std::string>& headings,
                 const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::string> lines(rows.size() + 2, "|");
  for (std::size_t column = 0; column < headings.size(); ++column) {
    const auto empty = [column](const auto& row) { return row[column].empty(); };
    if (std::ranges::all_of(rows, empty)) continue;
    lines[0] += fmt::format(" {} |", headings[column]);
    lines[1] += "---|";
    for (std::size_t row = 0; row < rows.size(); ++row) {
      lines[row + 2] += fmt::format(" {} |", rows[row][column]);
    }
  }
  fmt::print("{}\n", fmt::join(lines, "\n"));
}

void print_as_markdown(const List& list) {
  std::vector<std::vector<std::string>> rows;
  for (const ListRow& row : list.rows) {
    rows.push_back({code(row.name), type_of(row), unit_in(row), row.help,
                    fmt::format("{}", fmt::join(row.notes, "; "))});
  }
  const auto has_help = [](const ListRow& row) { return !row.help.empty(); };
  const bool described = std::ranges::any_of(list.rows, has_help);
  if (described) print_table({list.noun, "type", "unit", "meaning", "notes"}, rows);
  rows.clear();
  for (const SharedOption& option : shared_options(list.rows)) {
    rows.push_back({code(option.key.name), fmt::format("{}", fmt::join(option.owners, ", ")),
                    fallbacks(option), allowed_words(option.key.allowed), option.key.help});
  }
  for (const ConfigKey& key : list.keys) {
    rows.push_back({code(key.name), "", fallback_words(key), allowed_words(key.allowed),
                    key.help + (key.list ? "; *list*" : "")});
  }
  if (rows.empty()) return;
  if (described) fmt::print("\n");
  print_table({list.keys.empty() ? "option" : "key", list.noun, "default", "allowed", "meaning"},
              rows);
}

std::string words_of(const std::vector<List>& lists) {
  std::vector<std::string_view> words;
  for (const List& list : lists) words.push_back(list.word);
  return fmt::format("{}", fmt::join(words, " | "));
}

List list_called(const std::string& word) {
  for (const auto& lists : {lists_of_choices(), lists_of_files()}) {
    const auto found = std::ranges::find(lists, word, &List::word);
    if (found != lists.end()) return *found;
  }
  std::vector<std::string> words;
  for (const auto& lists : {lists_of_choices(), lists_of_files()}) {
    for (const List& list : lists) words.push_back(list.word);
  }
  throw UserError(fmt::format("there is no list '{}'{}; allowed: {} | {}", one_line(word),
                              did_you_mean(word, words), words_of(lists_of_choices()),
                              words_of(lists_of_files())));
}

}  // namespace

std::string about_lists() {
  std::string text = "WORD names one list:\n";
  const auto add = [&](const std::vector<List>& lists) {
    for (const List& list : lists) text += fmt::format("  {:<16} {}\n", list.word, list.title);
  };
  add(lists_of_choices());
  text += "or one that is printed only where it is named:\n";
  add(lists_of_files());
  return text;
}

void print_lists(const std::string& word, const std::string& format) {
  std::vector<List> lists = word.empty() ? lists_of_choices() : std::vector{list_called(word)};
  if (format == "json") {
    if (word.empty()) std::ranges::move(lists_of_files(), std::back_inserter(lists));
    return tell_text(as_json(lists));
  }
  for (const List& list : lists) {
    if (&list != &lists.front()) fmt::print("\n");
    if (format == "markdown") {
      print_as_markdown(list);
    } else {
      print_plainly(list);
    }
  }
}

}  // namespace regroup
