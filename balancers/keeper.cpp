// SPDX-License-Identifier: BSD-3-Clause
#include "balancers/keeper.hpp"

#include <utility>

namespace regroup {

void Keeper::hear(const Message& message, const Knowledge& own) {
  if (message.word == request) {
    requests_.push_back(message);
    return;
  }
  const Chain chain{static_cast<int>(message.numbers[0]), message.numbers[1]};
  reported_ += message.ranks.size();
  if (chain.items_left == 0) return;
  table_.add(chain, message.from, message.ranks.size(), own.forecast, 0,
             own.nodes.of(message.from));
}

std::vector<int> Keeper::nodes_of(const RankSet& ranks, const NodeMap& nodes) const {
  std::vector<int> all;
  if (!prefer_own_node_) return all;
  for (const RankRange range : ranks.ranges()) {
    for (int rank = range.lo; rank <= range.hi; ++rank) all.push_back(nodes.of(rank));
  }
  return all;
}

std::vector<Outgoing> Keeper::answers(const Knowledge& own) {
  std::vector<Outgoing> answers;
  for (const Message& message : std::exchange(requests_, {})) {
    answer(message, own, answers);
  }
  if (waiting_ == own.ranks) {
    for (const int leader : std::exchange(parked_, {})) {
      answers.push_back({leader, {release, 0, {}, {}}});
    }
    waiting_ = 0;
  }
  return answers;
}

void Keeper::answer(const Message& request, const Knowledge& own, std::vector<Outgoing>& answers) {
  const Queue& queue = own.queue;
  const Forecast& forecast = own.forecast;
  const Chain chain{static_cast<int>(request.numbers[0]), request.numbers[1]};
  int idle = request.ranks.size();
  table_.give_up(static_cast<int>(request.numbers[2]));
  if (given_ < queue.tasks().size()) {
    const Task& task = queue.tasks()[given_++];
    const double from = table_.free_at(chain, idle, forecast);
    if (task.items > 0) {
      table_.add({task.walker, task.items}, request.from, idle, forecast, from,
                 own.nodes.of(request.from));
    }
    answers.push_back({request.from, {next, 0, {}, {task.walker}}});
    return;
  }
  const std::vector<HelpTable::Share> shares =
      table_.spread(chain, idle, forecast, nodes_of(request.ranks, own.nodes));
  for (std::size_t i = 0; i < shares.size(); i += 2) {
    const bool last = i + 2 >= shares.size();
    const HelpTable::Share& one = shares[i];
    const HelpTable::Share two = i + 1 < shares.size() ? shares[i + 1] : HelpTable::Share{};
    idle -= one.ranks + two.ranks;
    answers.push_back(
        {request.from,
         {last ? last_help : help, 0, {}, {one.contact, one.ranks, two.contact, two.ranks}}});
  }
  if (idle == 0) return;
  parked_.push_back(request.from);
  waiting_ += idle;
}

void Keeper::append_to(std::vector<std::int64_t>& memory) const {
  table_.append_to(memory);
  memory.insert(memory.end(), {reported_, waiting_, static_cast<std::int64_t>(given_),
                               static_cast<std::int64_t>(parked_.size())});
  memory.insert(memory.end(), parked_.begin(), parked_.end());
  for (const Message& message : requests_) {
    memory.push_back(message.from);
    memory.insert(memory.end(), message.numbers.begin(), message.numbers.end());
  }
}

}  // namespace regroup
