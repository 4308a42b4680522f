// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/chains/state_files.hpp"

#include <fmt/format.h>

#include <string_view>

#include "kernel/files/files.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/plain_text.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

constexpr std::string_view format = "regroup state 3";

/// Extracts the header lines of a file, one by one.
class Head {
 public:
  explicit Head(std::string_view text) : rest_(text) {}

  /// Removes the next line and returns its value if it begins with `name`: "name: value".
  std::optional<std::string_view> take(std::string_view name) {
    const std::size_t end = rest_.find('\n');
    if (end == rest_.npos) return std::nullopt;
    std::string_view line = rest_.substr(0, end);
    if (!line.starts_with(name) || !line.substr(name.size()).starts_with(": ")) return std::nullopt;
    rest_.remove_prefix(end + 1);
    return line.substr(name.size() + 2);
  }

  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

std::string_view text_of(const State& state) {
  return {reinterpret_cast<const char*>(state.data()), state.size()};
}

}  // namespace

std::string StateFiles::path(int chain) const {
  return fmt::format("{}/{}.state", directory_, chain);
}

std::string StateFiles::reports_path(int chain) const {
  return fmt::format("{}/{}.reports", directory_, chain);
}

std::string StateFiles::head(int chain, const Saved& saved) const {
  const std::string told = fmt::format("format: {}\nchains: {}\nchain: {}\nitems: {}\ndone: {}\n",
                                       format, kind_, chain, saved.items, saved.done ? 1 : 0);
  // The head ends with a checksum of head and state. The rest of the file is the state.
  const std::uint64_t sum = hash_combined(hash_number(told), hash_number(text_of(saved.state)));
  return told + fmt::format("checksum: {}\n", hash_digits(sum));
}

void StateFiles::write(int chain, const Saved& saved) const {
  Draft draft(path(chain));
  draft.write(head(chain, saved));
  draft.write(text_of(saved.state));
  draft.finish();
  draft.install();
}

std::optional<StateFiles::Saved> StateFiles::read(int chain) const {
  if (!file_exists(path(chain))) return std::nullopt;
  const auto refuse = [&](std::string_view why) {
    throw UserError(fmt::format(
        "{}: {}; if you delete the file, the chain starts from its beginning", path(chain), why));
  };
  const std::optional<std::string> text = read_file(path(chain));
  if (!text) refuse("cannot be read");
  Head lines(*text);
  if (lines.take("format") != format)
    refuse("is not the state of a chain, or one of another version");
  const auto kind = lines.take("chains");
  if (kind != kind_) {
    refuse(fmt::format("is a state of '{}', not of '{}'", kind.value_or(""), kind_));
  }
  if (lines.take("chain") != std::to_string(chain)) refuse("is the state of another chain");
  Saved saved;
  const auto items = parse<std::int64_t>(lines.take("items").value_or(""));
  saved.items = items.value_or(0);
  saved.done = lines.take("done") == "1";
  lines.take("checksum");
  const auto* const bytes = reinterpret_cast<const std::byte*>(lines.rest().data());
  saved.state.assign(bytes, bytes + lines.rest().size());
  if (head(chain, saved) + std::string(lines.rest()) != *text) refuse("is damaged");
  return saved;
}

std::string StateFiles::failure_path(int chain) const {
  return fmt::format("{}/{}.failed", directory_, chain);
}

std::string StateFiles::failure_text(const ChainFailure& failure) const {
  const std::string told =
      fmt::format("format: {}\nchains: {}\nchain: {}\nitem: {}\nreason: {}\n", format, kind_,
                  failure.number, failure.item, one_line(failure.reason));
  return told + fmt::format("checksum: {}\n", hash_digits(hash_number(told)));
}

void StateFiles::write(const ChainFailure& failure) const {
  replace_file(failure_path(failure.number), failure_text(failure));
}

std::optional<ChainFailure> StateFiles::failure(int chain) const {
  const std::string file = failure_path(chain);
  if (!file_exists(file)) return std::nullopt;
  const std::string text = read_file(file).value_or("");
  Head lines(text);
  for (const std::string_view name : {"format", "chains", "chain"}) lines.take(name);
  ChainFailure failure{chain, parse<std::int64_t>(lines.take("item").value_or("")).value_or(0), {}};
  failure.reason = lines.take("reason").value_or("");
  if (failure_text(failure) == text) return failure;
  throw UserError(
      fmt::format("{}: is damaged or belongs to other chains; if you delete the file, the chain is "
                  "executed again",
                  file));
}

void StateFiles::add(const ChainReport& report) const {
  const std::string file = reports_path(report.number);
  if (!file_exists(file)) replace_file(file, "");
  append_whole(file, to_json(report) + "\n");
}

std::string StateFiles::messages_path(int chain) const {
  return fmt::format("{}/{}.told", directory_, chain);
}

// A killed process may leave an incomplete line. Later lines can still be read, because each begins
// and ends with a line feed and contains its length.
void StateFiles::add_message(int from, std::int64_t item, int to, const State& content) const {
  const std::string file = messages_path(from);
  if (!file_exists(file)) replace_file(file, "");
  std::string digits;
  for (const std::byte byte : content) digits += fmt::format("{:02x}", static_cast<int>(byte));
  append_whole(file, fmt::format("\n{} {} {} {}\n", item, to, content.size(), digits));
}

State StateFiles::message(int from, std::int64_t item, int to) const {
  const std::string file = messages_path(from);
  const std::string text = read_file(file).value_or("");
  const std::string head = fmt::format("\n{} {} ", item, to);
  for (std::size_t at = 0; (at = text.find(head, at)) != text.npos; at += head.size()) {
    const std::size_t gap = text.find(' ', at + head.size());
    const std::size_t end = text.find('\n', at + 1);
    if (gap == text.npos || end == text.npos || gap > end) continue;
    const std::string_view digits = std::string_view(text).substr(gap + 1, end - gap - 1);
    const auto size = parse<std::int64_t>(text.substr(at + head.size(), gap - at - head.size()));
    if (!size || static_cast<std::int64_t>(digits.size()) != 2 * *size) continue;
    State content;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
      content.push_back(
          static_cast<std::byte>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16)));
    }
    return content;
  }
  throw UserError(fmt::format("{}: the message of chain {} to chain {} in item {} is missing", file,
                              from, to, item));
}

std::vector<ChainReport> StateFiles::take_reports(int chain, std::int64_t items) const {
  const std::string file = reports_path(chain);
  const std::string text = read_file(file).value_or("");
  std::vector<ChainReport> reports;
  std::size_t begin = 0;
  // Reports after the state may be incomplete.
  for (std::size_t end; (end = text.find('\n', begin)) != text.npos; begin = end + 1) {
    if (!reports.empty() && reports.back().items >= items) break;
    ChainReport report = report_from_json(text.substr(begin, end - begin));
    if (report.items > items) break;
    reports.push_back(std::move(report));
  }
  if (begin < text.size()) replace_file(file, text.substr(0, begin));
  return reports;
}

RankSet chains_without_state(std::span<const std::int64_t> items, const StateFiles& files) {
  std::vector<RankRange> missing;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto chain = static_cast<int>(i);
    if (items[i] > 0 && !files.failure(chain) && !files.read(chain))
      missing.push_back({chain, chain});
  }
  return RankSet::of(std::move(missing));
}

std::vector<std::int64_t> items_left(std::span<const std::int64_t> items, const StateFiles& files) {
  std::vector<std::int64_t> left(items.begin(), items.end());
  for (std::size_t i = 0; i < left.size(); ++i) {
    const auto chain = static_cast<int>(i);
    if (files.failure(chain)) {
      left[i] = 0;
      continue;
    }
    const auto saved = files.read(chain);
    if (!saved) continue;
    if (saved->items > left[i]) {
      throw UserError(
          fmt::format("{}: chain {} has executed {} items, and the workload has {} for it",
                      files.directory(), i, saved->items, left[i]));
    }
    left[i] = saved->done ? 0 : left[i] - saved->items;
  }
  return left;
}

std::string states_beside(const std::string& task_file) {
  constexpr std::string_view ending = ".task.json";
  const bool usual = task_file.ends_with(ending);
  return task_file.substr(0, task_file.size() - (usual ? ending.size() : 0)) + ".states";
}

}  // namespace regroup
