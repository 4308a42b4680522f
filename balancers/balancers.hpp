// SPDX-License-Identifier: BSD-3-Clause
//
// The balancers: for each its options, and what it remembers between decisions.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "balancers/coordinator.hpp"
#include "regroup/balancer.hpp"
#include "regroup/options.hpp"

namespace regroup {

struct None {
  Decision decide(const Knowledge& known);
};

std::unique_ptr<Balancer> make_none(const Options& options);

inline constexpr std::array<std::string_view, 4> tried_intervals{"1", "16", "64", "128"};
inline constexpr std::array collective_options{
    trying(integer_option("exchange_interval", "16", 1, 1e9,
                          "number of items between two exchanges of loads"),
           tried_intervals),
};

struct Collective {
  enum class Last { nothing, work, regrouping };

  std::int64_t interval = 1;
  Last last = Last::nothing;

  Decision decide(const Knowledge& known);
  std::vector<Group> plan(std::span<const Group> groups, const Forecast& forecast) const;
};

std::unique_ptr<Balancer> make_collective(const Options& options);

inline constexpr std::array<std::string_view, 2> finished_words{"release", "merge"};
inline constexpr std::array asynchronous_options{
    choice_option("finished_groups", "release", finished_words,
                  "how finished groups treat each other. With `release`, they do not merge, and a "
                  "finished group ends only when all groups on higher ranks have finished. With "
                  "`merge`, finished groups merge until one is left."),
    real_option("listen_ms", "1", 1e-6, 1e6,
                "mean time in milliseconds for which a finished group waits for requests before it "
                "may send one. Only used with `finished_groups: merge`."),
};

struct Asynchronous {
  bool merges = false;           ///< finished groups go on merging
  double listen_s = 0;           ///< on average, before such a group tosses its coin again
  std::optional<RankSet> asker;  ///< the left neighbour, while its request has no answer
  bool asking = false;           ///< its own request has no answer yet
  bool answered = false;         ///< by a group without work: it is the others' turn to ask
  bool released = false;         ///< nobody on the right has work any more
  bool offering = false;         ///< it asks by an offer to its left neighbour
  bool turned_down = false;      ///< … which was refused since its chain was blocked

  Decision decide(const Knowledge& known);
  std::string_view word(std::int32_t number) const;
};

std::unique_ptr<Balancer> make_asynchronous(const Options& options);

/// Only groups that go on merging toss coins.
bool asynchronous_draws(const Options& options);

struct TwoSided {
  enum Side : int { left = 0, right = 1, neither = 2 };

  struct Neighbour {
    bool asked = false;
    int ranks = 0;  ///< 0: it has not answered
    double seconds_left = 0;
  };

  RankSet ranks;           ///< of the group when it last decided
  Side side = neither;     ///< where this part is to go
  Side offered = neither;  ///< … and where it has offered its help
  double slow_item_s = 0;  ///< the longest item among the groups that this one was formed of
  std::array<Neighbour, 2> neighbours;
  std::vector<RankSet> waiting;  ///< parts beside this group that have offered their help
  std::optional<Message> taken;  ///< the answer to the group's own offer

  Decision decide(const Knowledge& known);
  std::string_view word(std::int32_t number) const;
};

std::unique_ptr<Balancer> make_two_sided(const Options& options);

inline constexpr std::array<std::string_view, 2> loads_words{"known", "unknown"};
inline constexpr std::array<std::string_view, 2> truth_words{"false", "true"};
inline constexpr std::array spread_options{
    trying(choice_option("loads", "known", loads_words,
                         "whether groups know the number of items that they have left. If "
                         "`unknown`, ranks join the smallest groups."),
           loads_words),
    choice_option("prefer_own_node", "false", truth_words,
                  "whether ranks prefer groups on their own node, if nodes are known"),
};

struct Spread {
  static constexpr int nobody = -1;

  struct Options {
    bool loads_known = true;
    bool prefer_own_node = false;
  };

  /// What items took before and after the last change of the size of the group.
  struct Learning {
    ItemTimes before = {};
    ItemTimes seen = {};        ///< of this size: before the change, or when compared last
    std::int64_t items = 0;     ///< after the change, that were compared
    ItemTimes skipped = {};     ///< of this size, while others competed for cores
    bool watched = false;       ///< rank 0 is to be told, even if they are not slower
    bool help_watched = false;  ///< … by the group that it is to help
    int most = 0;               ///< the group is to give back all ranks but so many; 0: none
    int coming = 0;             ///< ranks that were sent to help it before it was told `most`
    int unheard = 0;            ///< messages with what was measured
  };

  Options options = {};
  std::vector<Coordinator> coordinator = {};  ///< rank 0 has one
  bool reported = false;
  bool asked = false;    ///< which groups its ranks are to help
  bool told = false;     ///< the whole answer
  bool offered = false;  ///< its help to the target
  bool released = false;
  int target = nobody;   ///< a rank of the group that it is to help
  int refused = nobody;  ///< the walker of a group that refused its help
  int next = nobody;     ///< the walker that it is to take up when it is done
  int contact = nobody;  ///< the rank of its group that rank 0 knows
  int lent_by = nobody;  ///< the walker whose group has given back its ranks
  Learning learning;
  std::vector<HelpTable::Share> shares;
  std::vector<Message> joining;  ///< offers of help that wait for the end of an item

  Decision decide(const Knowledge& known);
  std::string_view word(std::int32_t number) const;
  bool gives_walkers() const { return true; }
};

std::unique_ptr<Balancer> make_spread(const Options& options);

struct Batch {
  /// The walkers that no group was given yet, by the number of ranks they want.
  struct Waiting {
    std::map<int, std::vector<int>> by_wants;  ///< the first at the end

    void fill(const Queue& queue);
    bool empty() const { return by_wants.empty(); }
    /// The first that wants no more than `ranks` ranks; nothing where there is none.
    std::optional<int> take(int ranks);
  };

  bool reported = false;  ///< that the group is free, or will be soon
  bool released = false;
  std::optional<Message> formed;  ///< what the group is to be part of when it is done
  // Used by rank 0 alone.
  bool all_reported = false;
  std::map<int, RankSet> free;  ///< groups by leader
  Waiting waiting;

  Decision decide(const Knowledge& known);
  std::string_view word(std::int32_t number) const;
  bool gives_walkers() const { return true; }
};

std::unique_ptr<Balancer> make_batch(const Options& options);

/// Works on `items` items and looks for messages after each, or less often if that would take more
/// than a two-hundredth of the time.
Work work_listening(std::int64_t items, const Knowledge& known);

std::span<const BalancerEntry> balancers();

}  // namespace regroup
