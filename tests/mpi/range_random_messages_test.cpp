// SPDX-License-Identifier: BSD-3-Clause
#include <map>
#include <memory>

#include "tests/mpi/random_cases.hpp"

namespace regroup::range::random_messages_test {
namespace {

// Random messages on range communicators match the same receives as with MPI. REGROUP_CASES=N sets
// the number of messages.
//
// In each case every process sends to one process and receives from one, on communicators of which
// both are members, so matching depends only on the orders of sending and posting. The same program
// runs on MPI communicators, one for each channel.

const std::vector<int> tags{0, 1, 1 << 15};

struct Message {
  std::size_t twin;
  int tag;
  int count;
};

struct Receive {
  std::size_t twin;
  bool any_source;
  int tag;  // or MPI_ANY_TAG
};

class RandomMessages : public RangeTest {
 protected:
  RandomMessages() {
    for (const Twin& twin : twins_.all()) {
      // Ranges of the world share its channel.
      const std::uint32_t channel = twin.ours ? twin.ours.channel() : 0;
      channels_.push_back(channel);
    }
  }
  ~RandomMessages() override {
    for (MPI_Comm& comm : mpis_) MPI_Comm_free(&comm);
  }

  /// Returns whether the ranks `one` and `other` of the world are members of twin `which`.
  bool has(std::size_t which, int one, int other) const {
    const Comm& comm = twins_.all()[which].ours;
    return comm && comm.rank_of(one) >= 0 && comm.rank_of(other) >= 0;
  }

  /// Returns the messages between two ranks in this case; both ranks draw the same.
  std::vector<Message> messages(Dice& dice, int from, int to) const {
    std::vector<std::size_t> common;
    for (std::size_t i = 0; i < twins_.all().size(); ++i) {
      if (has(i, from, to)) common.push_back(i);
    }
    std::vector<Message> drawn;
    for (int i = 1 + dice.below(6); i > 0; --i) {
      const int count = dice.one_in(10) ? 20'000 : dice.below(20);
      drawn.push_back({dice.one_of(common), dice.one_of(tags), count});
    }
    return drawn;
  }

  bool takes(const Receive& receive, const Message& message) const {
    return channels_[receive.twin] == channels_[message.twin] &&
           (receive.tag == MPI_ANY_TAG || receive.tag == message.tag);
  }

  /// Returns receives in random order that together match all of the messages.
  std::vector<Receive> receives(Dice& dice, const std::vector<Message>& messages) const {
    std::vector<Receive> drawn;
    for (const Message& message : messages) {
      drawn.push_back({message.twin, dice.one_in(2), dice.one_in(2) ? MPI_ANY_TAG : message.tag});
    }
    dice.shuffle(drawn);
    std::vector<bool> used(drawn.size(), false);
    for (const Message& message : messages) {
      std::size_t i = 0;
      while (i < drawn.size() && (used[i] || !takes(drawn[i], message))) ++i;
      if (i < drawn.size()) {
        used[i] = true;
      } else {
        drawn.push_back({message.twin, dice.one_in(2), message.tag});
        used.push_back(true);
      }
    }
    std::vector<Receive> needed;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      if (used[i]) needed.push_back(drawn[i]);
    }
    return needed;
  }

  /// Received data: the numbers and then the tag, one vector for each receive.
  using Came = std::vector<std::vector<int>>;

  static void shorten(std::vector<int>& numbers, const MPI_Status& status, int source) {
    int count = 0;
    MPI_Get_count(&status, MPI_INT, &count);
    EXPECT_EQ(status.MPI_SOURCE, source);
    numbers.resize(static_cast<std::size_t>(count));
    numbers.push_back(status.MPI_TAG);
  }

  static constexpr std::size_t most = 20'000;
  const Twins twins_{world, 2};
  std::vector<std::uint32_t> channels_;
  std::map<std::uint32_t, MPI_Comm> of_channel_;
  std::vector<MPI_Comm> mpis_;
};

TEST_F(RandomMessages, MeetTheReceivesThatMpisMeet) {
  // Only members know the channels, so each twin has an MPI communicator; that of the first twin
  // with a channel serves the channel.
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    MPI_Comm comm = MPI_COMM_NULL;
    parent.waiter().blocking([&] { MPI_Comm_dup(MPI_COMM_WORLD, &comm); });
    mpis_.push_back(comm);
    of_channel_.emplace(channels_[i], comm);
  }
  int sent_in_all = 0;
  for (unsigned number = 0; sent_in_all < number_of_cases(2000); ++number) {
    Dice common(number, 50);
    const int shift = size == 1 ? 0 : 1 + common.below(static_cast<std::size_t>(size - 1));
    const int to = (rank + shift) % size;
    const int from = (rank + size - shift) % size;
    Dice to_other(number, 60 + static_cast<unsigned>(rank));
    Dice from_other(number, 60 + static_cast<unsigned>(from));
    Dice mine(number, 5000 + static_cast<unsigned>(rank));
    const std::vector<Message> out = messages(to_other, rank, to);
    const std::vector<Message> expected = messages(from_other, from, rank);
    const std::vector<Receive> in = receives(mine, expected);
    // The average number of messages of all ranks.
    sent_in_all += 3 * size;

    std::vector<std::vector<int>> numbers;
    for (std::size_t i = 0; i < out.size(); ++i) {
      numbers.emplace_back(static_cast<std::size_t>(out[i].count), static_cast<int>(i) + 10 * rank);
    }
    Came ours(in.size(), std::vector<int>(most));
    std::vector<Request> sends;
    std::vector<Request> others;
    // A collective of all ranks is under way in half of the cases, with messages in the queue.
    int beside = rank;
    const bool broadcasts = common.one_in(2);
    if (broadcasts) others.push_back(ibcast(&beside, 1, MPI_INT, 0, world, 1));
    const bool sends_first = mine.one_in(2);
    const auto send_all = [&] {
      for (std::size_t i = 0; i < out.size(); ++i) {
        const Comm& comm = twins_.all()[out[i].twin].ours;
        const auto how = mine.one_in(3) ? &issend : &isend;
        sends.push_back(
            how(numbers[i].data(), out[i].count, MPI_INT, comm.rank_of(to), out[i].tag, comm));
      }
    };
    if (sends_first) send_all();
    const bool one_by_one = sends_first && mine.one_in(2);
    std::vector<Request> requests;
    for (std::size_t i = 0; i < in.size(); ++i) {
      const Comm& comm = twins_.all()[in[i].twin].ours;
      const int source = in[i].any_source ? MPI_ANY_SOURCE : comm.rank_of(from);
      MPI_Status status;
      if (!one_by_one) {
        requests.push_back(
            irecv(ours[i].data(), static_cast<int>(most), MPI_INT, source, in[i].tag, comm));
        if (mine.one_in(4)) iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm);
      } else if (mine.one_in(2)) {
        recv(ours[i].data(), static_cast<int>(most), MPI_INT, source, in[i].tag, comm, &status);
        shorten(ours[i], status, comm.rank_of(from));
      } else {
        probe(source, in[i].tag, comm, &status);
        recv(ours[i].data(), static_cast<int>(most), MPI_INT, status.MPI_SOURCE, status.MPI_TAG,
             comm, &status);
        shorten(ours[i], status, comm.rank_of(from));
      }
    }
    if (!sends_first) send_all();
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < requests.size(); ++i) order.push_back(i);
    mine.shuffle(order);
    for (const std::size_t i : order) {
      MPI_Status status;
      requests[i].wait(&status);
      shorten(ours[i], status, twins_.all()[in[i].twin].ours.rank_of(from));
    }
    waitall(sends);
    waitall(others);
    EXPECT_EQ(beside, broadcasts ? 0 : rank);

    Came mpis(in.size(), std::vector<int>(most));
    std::vector<MPI_Request> pending(in.size() + out.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
      MPI_Irecv(mpis[i].data(), static_cast<int>(most), MPI_INT,
                in[i].any_source ? MPI_ANY_SOURCE : from, in[i].tag,
                of_channel_[channels_[in[i].twin]], &pending[i]);
    }
    // Both ranks use the communicator of the first twin with this channel.
    for (std::size_t i = 0; i < out.size(); ++i) {
      MPI_Isend(numbers[i].data(), out[i].count, MPI_INT, to, out[i].tag,
                of_channel_[channels_[out[i].twin]], &pending[in.size() + i]);
    }
    for (std::size_t i = 0; i < pending.size(); ++i) {
      MPI_Status status;
      parent.waiter().wait(pending[i], &status);
      if (i < in.size()) shorten(mpis[i], status, from);
    }
    EXPECT_EQ(ours, mpis) << "case " << number;
    // Otherwise a receive from any source could match a message of the next case.
    barrier(world, 2);
  }
  barrier(world, 2);
  for (const Twin& twin : twins_.all()) {
    if (twin.mpi != MPI_COMM_NULL) {
      EXPECT_FALSE(iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, twin.ours));
    }
  }
}

}  // namespace
}  // namespace regroup::range::random_messages_test
