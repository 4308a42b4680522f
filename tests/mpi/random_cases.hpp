// SPDX-License-Identifier: BSD-3-Clause
//
// Building blocks of random programs that run on range communicators and on MPI communicators.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "tests/mpi/range_fixture.hpp"

namespace regroup::range {

/// Returns REGROUP_CASES, or `otherwise` if it is not set.
inline int number_of_cases(int otherwise) {
  const char* wanted = std::getenv("REGROUP_CASES");
  return wanted != nullptr ? std::atoi(wanted) : otherwise;
}

/// Draws random numbers that depend only on the seeds.
class Dice {
 public:
  explicit Dice(unsigned seed, unsigned more = 0) {
    std::seed_seq seeds{seed, more};
    random_.seed(seeds);
  }
  /// Returns a number from 0 to n - 1.
  int below(std::size_t n) { return static_cast<int>(random_() % n); }
  bool one_in(int n) { return below(static_cast<std::size_t>(n)) == 0; }
  template <class T>
  const T& one_of(const std::vector<T>& things) {
    return things[static_cast<std::size_t>(below(things.size()))];
  }
  template <class T>
  void shuffle(std::vector<T>& things) {
    for (std::size_t i = things.size(); i > 1; --i) {
      std::swap(things[i - 1], things[static_cast<std::size_t>(below(i))]);
    }
  }

 private:
  std::mt19937 random_;
};

/// A range communicator and an MPI communicator of the same processes. If the caller is not a
/// member, `mpi` is MPI_COMM_NULL.
struct Twin {
  Comm ours;
  MPI_Comm mpi = MPI_COMM_NULL;
};

/// A list of twins: ranges, subsets of the world and of a subset, and groups from icreate_group.
class Twins {
 public:
  Twins(const Comm& world, unsigned seed) {
    Dice dice(seed);
    add(world);
    for (int i = 0; i < 6; ++i) {
      const int first = dice.below(static_cast<std::size_t>(world.size()));
      add(world.range(first, world.size() - 1, 1 + dice.below(3)));
    }
    for (int i = 0; i < 3; ++i) add(world.subset(ranges_with_gaps(world.size(), dice)));
    for (int i = 0; i < 3; ++i) {
      std::vector<int> ranks = all_ranks(world.size());
      dice.shuffle(ranks);
      ranks.resize(ranks.size() - ranks.size() / 4);
      const Comm subset = world.subset(ranks);
      add(subset);
      add(subset.range(0, subset.size() - 1, 1 + dice.below(2)));
      add(subset.subset(ranges_with_gaps(subset.size(), dice)));
    }
    for (int i = 0; i < 4; ++i) {
      std::vector<int> ranks;
      for (int r = 0; r < world.size(); ++r) ranks.push_back(r);
      dice.shuffle(ranks);
      ranks.resize(ranks.size() - ranks.size() / 4);
      create(world, ranks, i);
      add(created_.back().comm());
    }
  }
  Twins(const Twins&) = delete;
  Twins& operator=(const Twins&) = delete;
  ~Twins() {
    for (Twin& twin : all_) {
      if (twin.mpi != MPI_COMM_NULL) MPI_Comm_free(&twin.mpi);
    }
  }

  const std::vector<Twin>& all() const { return all_; }

 private:
  static std::vector<RankRange> ranges_with_gaps(int size, Dice& dice) {
    std::vector<RankRange> ranges;
    for (int lo = dice.below(2); lo < size; lo = ranges.back().hi + 2) {
      ranges.push_back({lo, std::min(lo + dice.below(2), size - 1)});
    }
    if (ranges.empty()) ranges.push_back({0, size - 1});
    return ranges;
  }
  /// Creates the group of `ranks`. Other processes create a group of themselves, for an empty twin.
  void create(const Comm& world, const std::vector<int>& ranks, int tag) {
    for (const int rank : ranks) {
      if (rank != world.rank()) continue;
      created_.push_back(icreate_group(world, ranks, tag, Isolation::agreed));
      created_.back().wait();
      return;
    }
    created_.push_back(
        icreate_group(world, world.rank(), world.rank(), 1, tag, Isolation::by_tags));
    outside_ = true;
  }
  void add(const Comm& comm) {
    const bool member = comm.rank() >= 0 && !std::exchange(outside_, false);
    Twin twin{member ? comm : Comm(), MPI_COMM_NULL};
    comm.parent().waiter().blocking([&] {
      MPI_Comm_split(MPI_COMM_WORLD, member ? 0 : MPI_UNDEFINED, comm.rank(), &twin.mpi);
    });
    all_.push_back(twin);
  }

  std::vector<GroupCreation> created_;
  std::vector<Twin> all_;
  bool outside_ = false;
};

/// A datatype whose elements contain a pair of numbers.
struct TypeLayout {
  MPI_Datatype type;
  int a, b;    ///< byte offsets of the numbers in an element
  int extent;  ///< 0: the type is empty
};

/// Datatypes with the same type signature: with gaps, with a negative lower bound, with a negative
/// extent. The last datatype is empty.
class Layouts {
 public:
  Layouts() {
    add(0, 4, 8);
    add(0, 8, 12);
    add(8, 0, 16);
    add(-8, 4, 20);
    add(4, 0, -8);
    TypeLayout nothing{MPI_DATATYPE_NULL, 0, 0, 0};
    MPI_Type_contiguous(0, MPI_INT, &nothing.type);
    MPI_Type_commit(&nothing.type);
    all_.push_back(nothing);
  }
  Layouts(const Layouts&) = delete;
  Layouts& operator=(const Layouts&) = delete;
  ~Layouts() {
    for (TypeLayout& layout : all_) MPI_Type_free(&layout.type);
  }
  const std::vector<TypeLayout>& all() const { return all_; }

 private:
  void add(int a, int b, int extent) {
    const int lengths[] = {1, 1};
    const MPI_Aint places[] = {a, b};
    const MPI_Datatype numbers[] = {MPI_UNSIGNED, MPI_UNSIGNED};
    MPI_Datatype bare = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, lengths, places, numbers, &bare);
    TypeLayout layout{MPI_DATATYPE_NULL, a, b, extent};
    MPI_Type_create_resized(bare, std::min(a, b), extent, &layout.type);
    MPI_Type_commit(&layout.type);
    MPI_Type_free(&bare);
    all_.push_back(layout);
  }

  std::vector<TypeLayout> all_;
};

/// Exactly the memory of `count` elements after `lead` bytes, for any sign of bounds and extent.
class Elements {
 public:
  Elements() = default;
  Elements(const TypeLayout& layout, int count, int lead = 0)
      : layout_(layout), count_(count), lead_(lead) {
    if (count == 0 || layout.extent == 0) return;
    const int last = (count - 1) * layout.extent;
    const int lowest = std::min(layout.a, layout.b) + std::min(0, last);
    const int highest = std::max(layout.a, layout.b) + 4 + std::max(0, last);
    bytes_.assign(static_cast<std::size_t>(lead + highest - lowest), std::byte{0x5a});
    origin_ = lead - lowest;
  }
  void fill(Dice& dice) {
    for (int i = 0; i < count_ && layout_.extent != 0; ++i) {
      for (const int place : {layout_.a, layout_.b}) {
        const auto number = static_cast<unsigned>(dice.below(1000));
        std::memcpy(bytes_.data() + origin_ + i * layout_.extent + place, &number, 4);
      }
    }
  }
  /// Returns the same numbers in another layout.
  Elements as(const TypeLayout& layout) const {
    Elements other(layout, count_, lead_);
    for (int i = 0; i < count_ && layout_.extent != 0; ++i) {
      for (const auto& [from, to] :
           {std::pair{layout_.a, layout.a}, std::pair{layout_.b, layout.b}}) {
        std::memcpy(other.bytes_.data() + other.origin_ + i * layout.extent + to,
                    bytes_.data() + origin_ + i * layout_.extent + from, 4);
      }
    }
    return other;
  }
  void* data() { return bytes_.data() + origin_; }
  friend bool operator==(const Elements& one, const Elements& other) {
    return one.bytes_ == other.bytes_;
  }

 private:
  TypeLayout layout_{};
  int count_ = 0;
  int lead_ = 0;
  int origin_ = 0;
  std::vector<std::byte> bytes_{std::byte{0x5a}};  // not empty: MPICH requires distinct addresses
};

}  // namespace regroup::range
