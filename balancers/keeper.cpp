// SPDX-License-Identifier: BSD-3-Clause
#include "balancers/keeper.hpp"

#include <utility>

namespace regroup {

void Keeper::hear(const Message& message, const Forecast& forecast) {
  if (message.word == request) {
    requests_.push_back(message);
    return;
  }
  const Chain chain{static_cast<int>(message.numbers[0]), message.numbers[1]};
  reported_ += message.ranks.size();
  if (chain.items_left > 0) table_.add(chain, message.from, message.ranks.size(), forecast);
}

std::vector<Outgoing> Keeper::answers(int ranks, const Queue& queue, const Forecast& forecast) {
  std::vector<Outgoing> answers;
  for (const Message& message : std::exchange(requests_, {})) {
    answer(message, queue, forecast, answers);
  }
  if (waiting_ == ranks) {
    for (const int leader : std::exchange(parked_, {})) {
      answers.push_back({leader, {release, 0, {}, {}}});
    }
    waiting_ = 0;
  }
  return answers;
}

void Keeper::answer(const Message& request, const Queue& queue, const Forecast& forecast,
                    std::vector<Outgoing>& answers) {
  const Chain chain{static_cast<int>(request.numbers[0]), request.numbers[1]};
  int idle = request.ranks.size();
  table_.give_up(static_cast<int>(request.numbers[2]));
  if (given_ < queue.tasks().size()) {
    const Task& task = queue.tasks()[given_++];
    const double from = table_.free_at(chain, idle, forecast);
    if (task.items > 0) {
      table_.add({task.walker, task.items}, request.from, idle, forecast, from);
    }
    answers.push_back({request.from, {next, 0, {}, {task.walker}}});
    return;
  }
  const std::vector<HelpTable::Share> shares = table_.spread(chain, idle, forecast);
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
