// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "communicators/named/definitions.hpp"
#include "kernel/places/host_list.hpp"
#include "regroup/named.hpp"

namespace regroup {
namespace {

using Kind = DefinedMembers::Kind;
using Names = std::vector<std::string>;

/// Finds the members of all defined communicators, and checks that the definitions are valid.
class Resolver {
 public:
  Resolver(const Definitions& definitions, int ranks, std::span<const std::string> processors)
      : definitions_(definitions), ranks_(ranks), met_(static_cast<std::size_t>(ranks)) {
    for (int rank = 0; rank < std::ssize(processors); ++rank) {
      on_[processors[static_cast<std::size_t>(rank)]].push_back(rank);
    }
  }

  std::vector<Members> members() {
    std::vector<Members> all;
    for (const DefinedCommunicator& communicator : definitions_.communicators()) {
      std::vector<int> ranks = ranks_of(communicator);
      sorted_.push_back(ranks);
      std::ranges::sort(sorted_.back());
      all.push_back(Members::list(std::move(ranks)));
    }
    check_equal_names();
    for (const DefinedIntercommunicator& joins : definitions_.intercommunicators()) {
      check_disjoint({joins.first.communicator, joins.second.communicator},
                     fmt::format("in both groups of {}", joins.name));
    }
    return all;
  }

 private:
  [[noreturn]] void fail(int line, const std::string& what) const { definitions_.fail(line, what); }

  /// Returns a rank, with its processor if that is known, as text for a message.
  std::string named(int rank) const {
    for (const auto& [processor, ranks] : on_) {
      if (std::ranges::find(ranks, rank) == ranks.end()) continue;
      return fmt::format("rank {} on {}", rank, processor);
    }
    return fmt::format("rank {}", rank);
  }

  /// Marks `rank` with `mark`. Returns false if it already has this mark.
  bool meets(int rank, int mark) {
    return std::exchange(met_[static_cast<std::size_t>(rank)], mark) != mark;
  }

  std::vector<int> ranks_of(const DefinedCommunicator& communicator) {
    std::vector<std::pair<int, int>> keyed;
    ++mark_;
    for (const DefinedMembers& members : communicator.members) {
      for (const int rank : ranks_of(members)) {
        if (!meets(rank, mark_)) {
          fail(members.line,
               fmt::format("{} is in {} a second time", named(rank), communicator.name));
        }
        if (!in_parent(communicator, rank)) {
          fail(members.line, fmt::format("{} is not in {}, the parent of {}", named(rank),
                                         at(communicator.parent).name, communicator.name));
        }
        keyed.emplace_back(members.key, rank);
      }
    }
    std::ranges::stable_sort(keyed, {}, &std::pair<int, int>::first);
    std::vector<int> ranks;
    ranks.reserve(keyed.size());
    for (const auto& [key, rank] : keyed) ranks.push_back(rank);
    return ranks;
  }

  const DefinedCommunicator& at(int place) const {
    return definitions_.communicators()[static_cast<std::size_t>(place)];
  }

  bool in_parent(const DefinedCommunicator& communicator, int rank) const {
    return communicator.parent < 0 ||
           std::ranges::binary_search(sorted_[static_cast<std::size_t>(communicator.parent)], rank);
  }

  std::vector<int> ranks_of(const DefinedMembers& members) const {
    if (members.kind == Kind::ranks) return these(members);
    if (on_.empty()) {
      fail(members.line,
           fmt::format("nobody knows who is on '{}': no processors were named", members.text));
    }
    std::vector<int> ranks;
    if (members.kind == Kind::processor || members.kind == Kind::hosts) {
      const bool list = members.kind == Kind::hosts;
      for (const std::string& name : list ? host_names(members.text) : Names{members.text}) {
        if (const auto found = on_.find(name); found != on_.end()) {
          add(ranks, members, found->second);
        }
      }
    } else {
      const Pattern pattern(members.text);
      for (const auto& [processor, there] : on_) {
        if (pattern.matches(processor)) add(ranks, members, there);
      }
    }
    if (!ranks.empty()) return ranks;
    const bool single = members.kind == Kind::processor;
    fail(members.line,
         fmt::format(
             "no process is on {} '{}'; there {}: {}", single ? "a processor" : "one that matches",
             members.which < 0 ? members.text : fmt::format("{}:{}", members.text, members.which),
             on_.size() == 1 ? "is" : "are", some_processors()));
  }

  std::vector<int> these(const DefinedMembers& members) const {
    if (members.ranks.hi >= ranks_) {
      fail(members.line, fmt::format("there is no rank {}: 0 to {}", members.ranks.hi, ranks_ - 1));
    }
    std::vector<int> ranks(static_cast<std::size_t>(members.ranks.size()));
    std::iota(ranks.begin(), ranks.end(), members.ranks.lo);
    return ranks;
  }

  static void add(std::vector<int>& ranks, const DefinedMembers& members,
                  const std::vector<int>& there) {
    if (members.which < 0) {
      ranks.insert(ranks.end(), there.begin(), there.end());
    } else if (members.which < std::ssize(there)) {
      ranks.push_back(there[static_cast<std::size_t>(members.which)]);
    }
  }

  std::string some_processors() const {
    std::string text;
    int told = 0;
    for (const auto& [processor, ranks] : on_) {
      if (++told > 8) return text + ", …";
      text += fmt::format("{}{} ({})", told == 1 ? "" : ", ", processor, ranks.size());
    }
    return text;
  }

  void check_equal_names() {
    for (const DefinedCommunicator& communicator : definitions_.communicators()) {
      if (communicator.color != 1) continue;  // once for each name that several communicators have
      check_disjoint(definitions_.named(communicator.name),
                     fmt::format("in two communicators {}", communicator.name));
    }
  }

  void check_disjoint(const std::vector<int>& communicators, const std::string& what) {
    ++mark_;
    for (const int communicator : communicators) {
      const auto place = static_cast<std::size_t>(communicator);
      for (const int rank : sorted_[place]) {
        if (meets(rank, mark_)) continue;
        fail(definitions_.communicators()[place].line, fmt::format("{} is {}", named(rank), what));
      }
    }
  }

  const Definitions& definitions_;
  const int ranks_;
  std::map<std::string, std::vector<int>> on_;  // ranks of each processor
  std::vector<std::vector<int>> sorted_;        // sorted members of each communicator
  std::vector<int> met_;                        // last mark of each rank
  int mark_ = 0;
};

}  // namespace

DefinedGroups::DefinedGroups(const Definitions& definitions, int ranks,
                             std::span<const std::string> processors)
    : definitions_(&definitions), members_(Resolver(definitions, ranks, processors).members()) {}

Members DefinedGroups::members_in_parent(int communicator) const {
  const int parent = definitions_->communicators()[static_cast<std::size_t>(communicator)].parent;
  const Members& own = members(communicator);
  if (parent < 0) return own;
  std::vector<int> ranks = own.ranks();
  for (int& rank : ranks) rank = members(parent).index_of(rank);
  return Members::list(std::move(ranks));
}

}  // namespace regroup
