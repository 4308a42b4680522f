// SPDX-License-Identifier: BSD-3-Clause
//
// The options of each balancer, and its memory between decisions.
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
  bool merges = false;           ///< finished groups merge until one is left
  double listen_s = 0;           ///< mean time between two coin tosses of a finished group
  std::optional<RankSet> asker;  ///< the left neighbour, while its request is unanswered
  bool asking = false;           ///< the group's own request or offer is unanswered
  bool answered = false;         ///< its latest request brought no work: it listens next
  bool released = false;         ///< no group on the right has work left
  bool offering = false;         ///< the unanswered message is an offer to the left neighbour
  bool turned_down = false;      ///< its chain is blocked, and an offer was refused

  Decision decide(const Knowledge& known);
  std::string_view word(std::int32_t number) const;
};

std::unique_ptr<Balancer> make_asynchronous(const Options& options);

/// Returns whether finished groups merge; only these toss coins.
bool asynchronous_draws(const Options& options);

struct TwoSided {
  enum Side : int { left = 0, right = 1, neither = 2 };

  struct Neighbour {
    bool asked = false;
    int ranks = 0;  ///< 0: no answer yet
    double seconds_left = 0;
  };

  RankSet ranks;           ///< ranks of the group at its latest decision
  Side side = neither;     ///< side of the neighbour that this part is to help
  Side offered = neither;  ///< side of the neighbour to which it has offered help
  double slow_item_s = 0;  ///< longest item time of the groups that merged into this one
  std::array<Neighbour, 2> neighbours;
  std::vector<RankSet> waiting;  ///< neighbouring parts that have offered help
  std::optional<Message> taken;  ///< acceptance of the group's own offer

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

  /// Item times before and after the last change of the group size.
  struct Learning {
    ItemTimes before = {};
    ItemTimes seen = {};        ///< of this size, up to the latest comparison
    std::int64_t items = 0;     ///< number of compared items after the change
    ItemTimes skipped = {};     ///< of this size, while joining ranks competed for cores
    bool watched = false;       ///< comparisons are reported even if items are not slower
    bool help_watched = false;  ///< `watched` for the group that it is to help
    int most = 0;               ///< number of ranks to keep on `shrink`; 0: no order
    int coming = 0;             ///< number of ranks sent before `shrink` that are still to join
    int unheard = 0;            ///< number of `measured` messages without answer
  };

  Options options = {};
  std::vector<Coordinator> coordinator = {};  ///< one element on rank 0, else empty
  bool reported = false;
  bool asked = false;    ///< has asked rank 0 which groups its ranks are to help
  bool told = false;     ///< has received the complete answer
  bool offered = false;  ///< has offered help to `target`
  bool released = false;
  int target = nobody;   ///< a rank of the group to help
  int refused = nobody;  ///< walker of a group that refused its help
  int next = nobody;     ///< waiting walker to take up after its chain
  int contact = nobody;  ///< the rank by which rank 0 addresses the group
  int lent_by = nobody;  ///< walker of the group that gave back these ranks
  Learning learning;
  std::vector<HelpTable::Share> shares;
  std::vector<Message> joining;  ///< offers of help, accepted after the current item

  Decision decide(const Knowledge& known);
  std::string_view word(std::int32_t number) const;
  bool gives_walkers() const { return true; }
};

std::unique_ptr<Balancer> make_spread(const Options& options);

struct Batch {
  /// Walkers not yet assigned to a group, by the number of ranks that they want.
  struct Waiting {
    std::map<int, std::vector<int>> by_wants;  ///< each in reverse order of the queue

    void fill(const Queue& queue);
    bool empty() const { return by_wants.empty(); }
    /// Removes and returns the first walker that wants at most `ranks` ranks, if there is one.
    std::optional<int> take(int ranks);
  };

  bool reported = false;  ///< the group has reported that it is or will soon be free
  bool released = false;
  std::optional<Message> formed;  ///< the order to form a group, executed after the chain
  // Used only by rank 0.
  bool all_reported = false;
  std::map<int, RankSet> free;  ///< groups by leader
  Waiting waiting;

  Decision decide(const Knowledge& known);
  std::string_view word(std::int32_t number) const;
  bool gives_walkers() const { return true; }
};

std::unique_ptr<Balancer> make_batch(const Options& options);

/// Returns work of at most `items` items with a look for messages after each, or less often if
/// looking would take more than 0.5 % of the time.
Work work_listening(std::int64_t items, const Knowledge& known);

std::span<const BalancerEntry> balancers();

}  // namespace regroup
