// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/measurement/creation/formation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "kernel/mpi/stage/tags.hpp"

namespace regroup {

Formation::Formation(const Subject& subject, Site& world)
    : world_(world), strategy_(subject.strategy), make_(subject.make) {
  std::vector<bool> inside(static_cast<std::size_t>(world.size()));
  for (const Layer& layer : subject.layers) {
    Members own;
    for (const Members& group : layer) {
      ++groups_;
      all_ranges_ = all_ranges_ && group.is_range();
      if (group.place_of(world.rank()) >= 0) own = group;
      for (int place = 0; place < group.size(); ++place) {
        inside[static_cast<std::size_t>(group[place])] = true;
      }
    }
    if (!own.empty() || strategy_.caller == Caller::parent) calls_.push_back(own);
  }
  joins_ = inside[static_cast<std::size_t>(world.rank())];
  outsiders_ = static_cast<int>(std::ranges::count(inside, false));
  const Members& first = subject.layers.front().front();
  if (first.size() > 1) late_rank_ = first[first.size() - 1];
}

void Formation::form(std::vector<GroupComm>& comms, int times) const {
  world_.waiter().blocking([&] {
    for (int time = 0; time < times; ++time) {
      for (const Members& members : calls_)
        comms.push_back(make_(world_, members, tag_communicator));
    }
  });
}

void Formation::check(const std::vector<GroupComm>& comms) const {
  for (std::size_t i = 0; i < comms.size(); ++i) {
    const Members& members = calls_[i % calls_.size()];
    const bool follows_machine = strategy_.forms == Forms::shared;
    const bool right = members.empty() ? !comms[i]
                                       : comms[i].size() == members.size() &&
                                             comms[i].rank() == members.place_of(world_.rank());
    if (right || follows_machine) continue;
    throw std::runtime_error(
        fmt::format("{} formed a communicator of {} ranks with the caller as rank {}; {} and {} "
                    "were asked for",
                    strategy_.name, comms[i].size(), comms[i].rank(), members.size(),
                    members.place_of(world_.rank())));
  }
}

}  // namespace regroup
