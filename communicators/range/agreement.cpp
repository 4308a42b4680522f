// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/agreement.hpp"

#include <algorithm>
#include <bit>

#include "regroup/range.hpp"

namespace regroup::range {
namespace {

// A window is a sixty-fourth of the channels, so that hundreds of simultaneous creations find free
// channels.
constexpr int widest_window = 64;
constexpr int windows = 64;

constexpr std::int32_t none = -1;

}  // namespace

void throw_nothing_is_free() {
  throw NoChannel(
      "range communicator: its members have no channel left that is free on all of them");
}

AgreementMachine::AgreementMachine(const Comm& comm, const Label& label, Agreement* agreement)
    : comm_(comm), label_(label), agreement_(*agreement) {
  offer();
}

int AgreementMachine::window_size() const {
  return std::clamp(static_cast<int>(channels().agreed().size) / windows, 1, widest_window);
}

int AgreementMachine::most_rounds() const {
  return 16 + 4 * static_cast<int>(channels().agreed().size) / window_size();
}

std::uint32_t AgreementMachine::candidate(int i) const {
  const auto round = static_cast<std::uint64_t>(round_);
  return channels().agreed().at(mixed(agreement_.key + round) % channels().agreed().size +
                                static_cast<std::uint64_t>(i));
}

void AgreementMachine::offer() {
  offered_ = 0;
  for (int i = 0; i < window_size(); ++i) {
    if (channels().take(candidate(i))) offered_ |= std::uint64_t{1} << i;
  }
  reduce_.emplace(comm_, label_, &offered_, &offered_by_all_, nullptr, 1, MPI_UINT64_T, MPI_BAND,
                  0);
}

void AgreementMachine::answer() {
  answer_ = {agreement_.fresh, offered_by_all_ == 0 ? none : std::countr_zero(offered_by_all_)};
  bcast_.emplace(comm_, label_, &answer_, 2, MPI_INT32_T, 0);
}

void AgreementMachine::withdraw() {
  for (int i = 0; i < window_size(); ++i) {
    if ((offered_ >> i & 1) != 0) channels().give_back(candidate(i));
  }
  offered_ = 0;
}

void AgreementMachine::add_pending(std::vector<PendingMessage>& pending) {
  if (bcast_) {
    bcast_->add_pending(pending);
  } else {
    reduce_->add_pending(pending);
  }
}

bool AgreementMachine::advance() {
  for (;;) {
    if (!bcast_) {
      if (!reduce_->advance()) return false;
      answer();
    }
    if (!bcast_->advance()) return false;
    if (answer_.which != none) {
      agreement_.fresh = answer_.fresh;
      agreement_.channel = candidate(answer_.which);
      offered_ &= ~(std::uint64_t{1} << answer_.which);
    }
    withdraw();
    agreement_.complete = answer_.which != none || ++round_ == most_rounds();
    if (agreement_.complete) {
      if (agreement_.channel == 0) throw_nothing_is_free();
      return true;
    }
    bcast_.reset();
    offer();
  }
}

}  // namespace regroup::range
