// SPDX-License-Identifier: BSD-3-Clause
//
// Ranks are matched with processors: a rank takes one that is free, or else one whose rank can move
// to another (augmenting paths, as H. W. Kuhn's Hungarian method has them, 1955). Ranks with the
// same choice are one node of the graph, so that a path is as long as there are bindings at most.
#include "kernel/places/own_processors.hpp"

#include <vector>

#include "kernel/places/place.hpp"

namespace regroup {
namespace {

class Matching {
 public:
  explicit Matching(std::span<const Binding> bindings) : bindings_(bindings) {
    int last = -1;
    for (const Binding& binding : bindings) last = std::max(last, binding.cpus.hi());
    owners_.assign(static_cast<std::size_t>(last) + 1, nobody);
  }

  bool is_whole() {
    for (std::size_t binding = 0; binding < bindings_.size(); ++binding) {
      for (int rank = 0; rank < bindings_[binding].ranks.size(); ++rank) {
        seen_.assign(bindings_.size(), false);
        if (!add_one(binding)) return false;
      }
    }
    return true;
  }

 private:
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

  /// Gives a rank of `binding` a processor more.
  bool add_one(std::size_t binding) {
    seen_[binding] = true;
    return each_cpu(binding,
                    [&](std::size_t& owner) {
                      if (owner != nobody) return false;
                      owner = binding;
                      return true;
                    }) ||
           each_cpu(binding, [&](std::size_t& owner) {
             const std::size_t other = owner;
             if (other == nobody || seen_[other] || !add_one(other)) return false;
             owner = binding;
             return true;
           });
  }

  template <class Take>
  bool each_cpu(std::size_t binding, Take take) {
    for (const RankRange range : bindings_[binding].cpus.ranges()) {
      for (int cpu = range.lo; cpu <= range.hi; ++cpu) {
        if (take(owners_[static_cast<std::size_t>(cpu)])) return true;
      }
    }
    return false;
  }

  std::span<const Binding> bindings_;
  std::vector<std::size_t> owners_;  // the binding that has each processor
  std::vector<bool> seen_;           // bindings on the path
};

}  // namespace

bool have_own_processors(std::span<const Binding> bindings) {
  int ranks = 0;
  std::vector<RankSet> cpus;
  for (const Binding& binding : bindings) {
    ranks += binding.ranks.size();
    cpus.push_back(binding.cpus);
  }
  return ranks <= united(cpus).size() && Matching(bindings).is_whole();
}

}  // namespace regroup
