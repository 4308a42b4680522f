// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <span>

namespace regroup {

/// A hint for MPI: a key and its value.
struct MpiHint {
  const char* key;
  const char* value;
};

/// What the copies of the strategies `*_with_info` are given: assertions that MPI reserves
/// (MPI 4.1, section 7.4.4). They hold for who receives from ranks, and with tags, that it names,
/// and as much as was sent.
inline constexpr MpiHint copy_hints[] = {
    {"mpi_assert_no_any_tag", "true"},
    {"mpi_assert_no_any_source", "true"},
    {"mpi_assert_exact_length", "true"},
    {"mpi_assert_allow_overtaking", "false"},
};

/// Owns an info object with these hints.
class InfoHandle {
 public:
  explicit InfoHandle(std::span<const MpiHint> hints) {
    MPI_Info_create(&info_);
    for (const MpiHint& hint : hints) MPI_Info_set(info_, hint.key, hint.value);
  }
  InfoHandle(const InfoHandle&) = delete;
  InfoHandle& operator=(const InfoHandle&) = delete;
  ~InfoHandle() { MPI_Info_free(&info_); }
  MPI_Info get() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

}  // namespace regroup
