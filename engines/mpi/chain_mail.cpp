// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/chain_mail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "engines/mpi/tags.hpp"
#include "kernel/check.hpp"

namespace regroup {

ChainMail::ChainMail(const RunInput& run, const WalkerSource& source, const World& world,
                     Outbox& outbox)
    : pattern_(run.messages),
      progress_(pattern_, run.groups.names(), run.chain_items),
      queue_(run.queue),
      files_(source.files),
      saves_(source.save_every > 0),
      executed_before_(source.executed_before),
      world_(world),
      outbox_(outbox) {
  rank_ = world.rank();
  ranks_ = world.size();
  if (!exists()) return;
  for (std::size_t chain = 0; chain < run.chain_items.size(); ++chain) {
    home_.push_back(run.groups[chain % run.groups.size()].lo());
    held_.push_back(home_.back() == rank_);
  }
  where_ = home_;
}

void ChainMail::hold(const Chain& chain, bool begins) {
  const int number = progress_.number(chain);
  where_[index(number)] = here;
  held_[index(number)] = true;
  if (!begins || home_[index(number)] == rank_) return;
  Letter letter = letter_of(Notice::begun);
  letter.put(number);
  letter.put(rank_);
  outbox_.send(letter, world_.process(home_[index(number)]), world_.tag(tag_leaders),
               world_.comm());
}

void ChainMail::release(const Chain& chain, int to) {
  const int number = progress_.number(chain);
  where_[index(number)] = to;
  send_all(number, to);
}

void ChainMail::send_all(int number, int to) {
  for (auto entry = inbox_.lower_bound({number, 0});
       entry != inbox_.end() && entry->first.first == number; entry = inbox_.erase(entry)) {
    for (const auto& [from, content] : entry->second) {
      send({from, 0, number, entry->first.second}, content, to);
    }
  }
}

bool ChainMail::is_ready(const Chain& chain) const {
  const auto needed = progress_.needed(chain);
  if (chain.items_left == 0 || needed.empty()) return true;
  const auto arrived = inbox_.find({needed.front().to, needed.front().before});
  return std::ranges::all_of(needed, [&](const ChainMessage& message) {
    const auto from = index(message.from);
    // The messages of the last item before this run are sent again.
    return (from < executed_before_.size() && message.item + 1 < executed_before_[from]) ||
           (arrived != inbox_.end() && arrived->second.contains(message.from));
  });
}

bool ChainMail::continues(const Chain& chain) const {
  if (chain.walker == Chain::none) return false;
  const auto number = index(progress_.number(chain));
  return number < executed_before_.size() && executed_before_[number] > 0;
}

std::vector<State> ChainMail::take_messages(const Chain& chain) {
  std::vector<State> messages;
  const auto needed = progress_.needed(chain);
  if (needed.empty()) return messages;
  auto& arrived = inbox_[{needed.front().to, needed.front().before}];
  for (const ChainMessage& message : needed) {
    const auto content = arrived.find(message.from);
    messages.push_back(content != arrived.end()
                           ? std::move(content->second.bytes)
                           : files_->message(message.from, message.item, message.to));
  }
  inbox_.erase({needed.front().to, needed.front().before});
  return messages;
}

void ChainMail::tell(const Chain& chain, const Walker& walker) {
  for (const ChainMessage& message : progress_.told(chain)) {
    State content;
    Packer packer(content);
    walker.tell(message.to, packer);
    if (saves_) files_->add_message(message.from, message.item, message.to, content);
    deliver(message, {std::move(content), rank_});
  }
}

void ChainMail::check_end(const Chain& chain) const {
  const int number = progress_.number(chain);
  const std::int64_t item = pattern_.next_telling(number, progress_.item(chain));
  if (item == MessagePattern::never) return;
  const ChainMessage& message = pattern_.told(number, item).front();
  throw std::runtime_error(fmt::format(
      "chain {} has ended after {} items, but item {} of chain {} needs what it tells in "
      "its item {}",
      number, progress_.item(chain), message.before, message.to, item));
}

State ChainMail::take_parked_state(const Chain& chain) {
  State state = std::move(states_[chain.walker]);
  states_.erase(chain.walker);
  return state;
}

void ChainMail::move_parking(int to) {
  Letter letter = letter_of(Notice::parking);
  letter.put(parking_.latest);
  letter.put(static_cast<std::int64_t>(parking_.chains.size()));
  for (const Chain& chain : parking_.chains) {
    letter.put(chain.walker);
    letter.put(chain.items_left);
    letter.put(take_parked_state(chain));
  }
  outbox_.send(letter, world_.process(to), world_.tag(tag_leaders), world_.comm());
  for (const Chain& chain : parking_.chains) release(chain, to);
  parking_ = {};
}

void ChainMail::wait_for_moved(std::int64_t leaders, Mailbox& mailbox) {
  mailbox.wait_for_notices([&] { return moved_ >= leaders; });
  moved_ -= leaders;
}

void ChainMail::end_chain() {
  if (rank_ == 0) return note_end();
  outbox_.send(letter_of(Notice::ended), world_.process(0), world_.tag(tag_leaders), world_.comm());
}

void ChainMail::note_end() {
  if (++ended_ < static_cast<std::int64_t>(home_.size())) return;
  all_ended_ = true;
  for (int to = 1; to < ranks_; ++to) {
    outbox_.send(letter_of(Notice::ended), world_.process(to), world_.tag(tag_leaders),
                 world_.comm());
  }
}

void ChainMail::deliver(const ChainMessage& message, Content content) {
  const auto to = index(message.to);
  if (!held_[index(message.from)]) where_[index(message.from)] = content.sender;
  if (where_[to] != here && where_[to] != rank_) return send(message, content, where_[to]);
  inbox_[{message.to, message.before}][message.from] = std::move(content);
}

void ChainMail::send(const ChainMessage& message, const Content& content, int to) {
  Letter letter = letter_of(Notice::told);
  for (const std::int64_t number :
       {std::int64_t{message.from}, message.item, std::int64_t{message.to}, message.before,
        std::int64_t{content.sender}}) {
    letter.put(number);
  }
  letter.put(content.bytes);
  outbox_.send(letter, world_.process(to), world_.tag(tag_leaders), world_.comm());
}

void ChainMail::take(Letter letter) {
  const Notice notice = notice_in(letter);
  letter.take();
  switch (notice) {
    case Notice::told: {
      if (all_ended_) return;  // to a chain that has ended early
      ChainMessage message;
      message.from = static_cast<int>(letter.take());
      message.item = letter.take();
      message.to = static_cast<int>(letter.take());
      message.before = letter.take();
      const int sender = static_cast<int>(letter.take());
      return deliver(message, {letter.take_bytes(), sender});
    }
    case Notice::begun: {
      const int number = static_cast<int>(letter.take());
      if (where_[index(number)] != rank_) return;  // the chain came here before this letter
      where_[index(number)] = static_cast<int>(letter.take());
      return send_all(number, where_[index(number)]);
    }
    case Notice::parking: {
      Parking other;
      other.latest = static_cast<int>(letter.take());
      other.chains.resize(static_cast<std::size_t>(letter.take()));
      for (Chain& chain : other.chains) {
        chain.walker = static_cast<int>(letter.take());
        chain.items_left = letter.take();
        states_[chain.walker] = letter.take_bytes();
        hold(chain, false);
      }
      parking_.join(other, queue_);
      ++moved_;
      return;
    }
    case Notice::ended:
      if (rank_ == 0) return note_end();
      all_ended_ = true;
      return;
    case Notice::none:
    case Notice::report:
    case Notice::failed:
    case Notice::enough:
      check(false, "a letter about chains is none");
  }
}

void ChainMail::finish(Mailbox& mailbox) {
  mailbox.wait_for_notices([this] { return all_ended_; });
}

}  // namespace regroup
