// SPDX-License-Identifier: BSD-3-Clause
//
// Sources: the manuals of Slurm (scontrol show hostnames, sbatch), PBS Professional (exec_host,
// exec_vnode), Torque (nodes=, exec_host), LSF (LSB_MCPU_HOSTS, bjobs, condensed host names), Hydra
// and Open MPI (hostfiles).
#include "kernel/places/host_list.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

#include "kernel/numbers/parse.hpp"

namespace regroup {
namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::size_t most_hosts = 1 << 20;
constexpr std::size_t most_digits = 18;
constexpr std::size_t longest_name = 253;
constexpr std::int64_t most_slots = 1 << 24;

bool has_only(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == text.npos;
}

[[noreturn]] void fail(std::string_view word) {
  throw std::invalid_argument(fmt::format("'{}' is not a host", word));
}

std::optional<std::int64_t> number_in(std::string_view text) {
  return has_only(text, digits) ? parse<std::int64_t>(text) : std::nullopt;
}

/// Removes and returns the part of `text` before the first of `ends` outside of brackets.
std::string_view take_until(std::string_view& text, std::string_view ends) {
  std::size_t at = 0;
  for (bool inside = false; at < text.size(); ++at) {
    if (text[at] == '[') inside = true;
    if (text[at] == ']') inside = false;
    if (!inside && ends.find(text[at]) != ends.npos) break;
  }
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at);
  return taken;
}

/// Expands "1-3,007" to 1, 2, 3 and 007. Numbers of a range are padded to the width of its first.
std::vector<std::string> numbers_in_brackets(std::string_view text, std::string_view word) {
  std::vector<std::string> all;
  for (std::string_view rest = text;; rest.remove_prefix(1)) {
    const std::string_view one = take_until(rest, ",");
    const std::size_t dash = one.find_first_of("-:");
    const std::string_view first = one.substr(0, dash);
    const auto lo = number_in(first);
    const auto hi = dash == one.npos ? lo : number_in(one.substr(dash + 1));
    if (!lo || !hi || *hi < *lo || first.size() > most_digits) fail(word);
    if (static_cast<std::size_t>(*hi - *lo) + all.size() >= most_hosts) fail(word);
    for (std::int64_t i = *lo; i <= *hi; ++i) all.push_back(fmt::format("{:0{}}", i, first.size()));
    if (rest.empty()) return all;
  }
}

/// Reads a list word by word.
class ListReader {
 public:
  std::vector<ListedHost> read(std::string_view text);

 private:
  void read_word(std::string_view word);
  void read_host(std::string_view word, bool of_lsf);
  void read_option(std::string_view option, std::string_view word);
  void add(std::string_view names, std::string_view word);
  void set_slots(std::optional<std::int64_t> slots, std::string_view word);

  std::vector<ListedHost> hosts_;
  std::size_t last_ = 0;             // index of the first host of the last word
  bool may_have_slots_ = false;      // whether a number of slots for these hosts may follow
  bool indices_may_follow_ = false;  // whether processor indices may follow: "n1/0,2-3"
};

std::vector<ListedHost> ListReader::read(std::string_view text) {
  constexpr std::string_view separators = " \t\r\n,+()";
  while (!text.empty()) {
    const char next = text.front();
    if (next == '#') {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    } else if (separators.find(next) != separators.npos) {
      if (next != ',') indices_may_follow_ = false;
      if (next != ' ' && next != '\t') may_have_slots_ = false;
      text.remove_prefix(1);
    } else {
      read_word(take_until(text, " \t\r\n,+()#"));
    }
  }
  return std::move(hosts_);
}

void ListReader::read_word(std::string_view word) {
  if (indices_may_follow_ && has_only(word, "0123456789-")) {
    hosts_.back().slots += static_cast<int>(numbers_in_brackets(word, word).size());
  } else if (has_only(word, digits) && may_have_slots_) {
    set_slots(number_in(word), word);
  } else if (word.find_first_of("=[:/") != word.npos && word[word.find_first_of("=[:/")] == '=') {
    if (hosts_.empty()) fail(word);
    read_option(word, word);
  } else {
    read_host(word, /*of_lsf=*/false);
  }
}

/// `of_lsf`: whether colons separate hosts.
void ListReader::read_host(std::string_view word, bool of_lsf) {
  if (has_only(word, digits)) fail(word);
  std::string_view rest = word;
  const std::size_t times = word.find('*');
  const bool counted = times != word.npos && has_only(word.substr(0, times), digits);
  if (counted) rest.remove_prefix(times + 1);
  if (is_ipv6(rest)) {
    add(rest, word);
    rest = {};
  } else {
    add(take_until(rest, ":/"), word);
  }
  if (counted) set_slots(number_in(word.substr(0, times)), word);
  while (!rest.empty()) {
    const char kind = rest.front();
    rest.remove_prefix(1);
    const std::string_view part = take_until(rest, ":/");
    if (kind == '/') {
      const std::size_t star = part.find('*');
      set_slots(star == part.npos ? std::ssize(numbers_in_brackets(part, word))
                                  : number_in(part.substr(star + 1)),
                word);
      indices_may_follow_ = true;
    } else if (part.find('=') != part.npos) {
      read_option(part, word);
    } else if ((of_lsf || counted) && !has_only(part, digits)) {
      return read_host(word.substr(static_cast<std::size_t>(part.data() - word.data())), true);
    } else {
      set_slots(number_in(part), word);
    }
  }
}

/// Reads "slots=2" and similar words after a host.
void ListReader::read_option(std::string_view option, std::string_view word) {
  constexpr std::array<std::string_view, 3> slots{"slots", "ppn", "ncpus"};
  constexpr std::array<std::string_view, 10> others{
      "max_slots", "max-slots", "maxslots", "binding",    "ifhn",
      "user",      "mem",       "mpiprocs", "ompthreads", "ngpus"};
  const std::size_t sign = option.find('=');
  const std::string_view key = option.substr(0, sign);
  if (std::ranges::find(slots, key) != slots.end()) {
    set_slots(number_in(option.substr(sign + 1)), word);
  } else if (std::ranges::find(others, key) == others.end()) {
    fail(word);
  }
}

void ListReader::add(std::string_view names, std::string_view word) {
  last_ = hosts_.size();
  may_have_slots_ = true;
  indices_may_follow_ = false;
  try {
    for (std::string& name : host_names(names)) hosts_.push_back({std::move(name)});
  } catch (const std::invalid_argument&) {
    fail(word);
  }
  if (hosts_.size() > most_hosts) fail(word);
}

void ListReader::set_slots(std::optional<std::int64_t> slots, std::string_view word) {
  if (!may_have_slots_ || !slots || *slots < 1 || *slots > most_slots) fail(word);
  for (std::size_t i = last_; i < hosts_.size(); ++i) hosts_[i].slots = static_cast<int>(*slots);
  may_have_slots_ = false;
}

bool is_ipv4(std::string_view text) {
  in_addr address{};
  return inet_pton(AF_INET, std::string(text).c_str(), &address) == 1;
}

}  // namespace

std::vector<ListedHost> host_list(std::string_view text) { return ListReader().read(text); }

std::vector<std::string> host_names(std::string_view text) {
  if (is_ipv6(text)) return {std::string(text)};
  if (text.starts_with('[') && text.ends_with(']') && is_ipv6(text.substr(1, text.size() - 2))) {
    return {std::string(text.substr(1, text.size() - 2))};
  }
  std::vector<std::string> names{""};
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view plain = rest.substr(0, rest.find('['));
    for (std::string& name : names) name += plain;
    if (names.front().size() > longest_name) fail(text);
    rest.remove_prefix(plain.size());
    if (rest.empty()) break;
    const std::size_t end = rest.find(']');
    if (end == rest.npos) fail(text);
    const std::vector<std::string> numbers = numbers_in_brackets(rest.substr(1, end - 1), text);
    rest.remove_prefix(end + 1);
    if (names.size() * numbers.size() > most_hosts) fail(text);
    std::vector<std::string> longer;
    for (const std::string& name : names) {
      for (const std::string& number : numbers) longer.push_back(name + number);
    }
    names = std::move(longer);
  }
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  for (const std::string& name : names) {
    if (!has_only(name, letters) || name.starts_with('-') || name.starts_with('.')) fail(text);
  }
  return names;
}

bool is_ipv6(std::string_view text) {
  in6_addr address{};
  const std::string without_zone(text.substr(0, text.find('%')));
  return inet_pton(AF_INET6, without_zone.c_str(), &address) == 1;
}

bool same_host(std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (a.size() > b.size()) std::swap(a, b);
  return !a.empty() && !is_ipv4(b) && a.find('.') == a.npos && b.starts_with(a) &&
         b[a.size()] == '.';
}

std::vector<int> numbers_of_hosts(std::string_view text) {
  std::vector<int> all;
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view one = take_until(rest, ",");
    if (!rest.empty()) rest.remove_prefix(1);
    std::int64_t times = 1;
    if (const std::size_t at = one.find("(x"); at != one.npos && one.ends_with(')')) {
      times = number_in(one.substr(at + 2, one.size() - at - 3)).value_or(0);
      one = one.substr(0, at);
    }
    const auto number = number_in(one);
    const auto room = most_hosts - all.size();
    if (!number || *number > most_slots || times < 1 || static_cast<std::size_t>(times) > room) {
      throw std::invalid_argument(fmt::format("'{}' are not numbers of hosts", text));
    }
    all.insert(all.end(), static_cast<std::size_t>(times), static_cast<int>(*number));
  }
  return all;
}

}  // namespace regroup
