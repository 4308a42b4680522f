// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <memory>

#include "tests/mpi/random_cases.hpp"

namespace regroup::range::random_collectives_test {
namespace {

// Random collectives of range communicators, several at a time on overlapping communicators, give
// the same results as MPI's. REGROUP_CASES=N sets the number of cases.

const std::vector<TypeLayout>* layouts_of_operations = nullptr;

/// Combines pairs of numbers in any layout.
template <class Combine>
void for_each_pair(void* left, void* right, int count, MPI_Datatype type, Combine combine) {
  for (const TypeLayout& layout : *layouts_of_operations) {
    if (layout.type != type) continue;
    for (int i = 0; i < count && layout.extent != 0; ++i) {
      const auto number = [&](void* base, int place) {
        return reinterpret_cast<unsigned*>(static_cast<std::byte*>(base) + i * layout.extent +
                                           place);
      };
      combine(*number(left, layout.a), *number(left, layout.b), *number(right, layout.a),
              *number(right, layout.b));
    }
  }
}

extern "C" void compose_random(void* left, void* right, int* count, MPI_Datatype* type) {
  for_each_pair(left, right, *count, *type, [](unsigned a, unsigned b, unsigned& c, unsigned& d) {
    d = c * b + d;
    c *= a;
  });
}
extern "C" void add_random(void* left, void* right, int* count, MPI_Datatype* type) {
  for_each_pair(left, right, *count, *type, [](unsigned a, unsigned b, unsigned& c, unsigned& d) {
    c += a;
    d += b;
  });
}

enum class What {
  bcast,
  reduce,
  allreduce,
  scan,
  exscan,
  reduce_scatter,
  reduce_scatter_block,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  barrier
};
constexpr int kinds = 16;

/// One operation of a case: all members have the same description, but their own data.
struct Action {
  Action(Dice& dice, Dice& mine, const Twin& on, const std::vector<TypeLayout>& layouts,
         MPI_Op compose, MPI_Op add, int of_tag)
      : what(static_cast<What>(dice.below(kinds))),
        twin(on),
        tag(of_tag),
        op(dice.one_in(2) ? compose : add),
        in_place(dice.one_in(4)) {
    count = std::vector{0, 1, 2, 7, 60, 700, 3000}[static_cast<std::size_t>(dice.below(7))];
    root = dice.below(static_cast<std::size_t>(twin.ours.size()));
    nothing = dice.one_in(8);
    const int layout = dice.below(layouts.size() - 1);
    const bool reduces = what == What::reduce || what == What::allreduce || what == What::scan ||
                         what == What::exscan || scatters_sum();
    // Counts of empty elements may differ between members, and layouts if nothing is combined.
    in = nothing ? layouts.back() : layouts[static_cast<std::size_t>(layout)];
    out = in;
    if (nothing) count = mine.below(3);
    if (!reduces && !nothing) {
      in = layouts[static_cast<std::size_t>(mine.below(layouts.size() - 1))];
      out = layouts[static_cast<std::size_t>(mine.below(layouts.size() - 1))];
      // MPICH 4.0 gathers in a different number of steps if extents differ between members, and
      // hangs if they are negative; Open MPI 4.1 terminates if they are negative in an in-place
      // exchange.
      const bool exchanged = in_place && (what == What::alltoall || what == What::alltoallv);
      if (what == What::allgatherv || exchanged) {
        out = layouts[static_cast<std::size_t>(dice.below(4))];
      }
    }
    const int ranks = twin.ours.size();
    for (int r = 0; r < ranks; ++r) {
      // Parts at twice the distance, in descending order.
      const int less = what == What::alltoallv ? std::abs(r - twin.ours.rank()) : r;
      counts.push_back(nothing || count == 0 ? count : std::max(0, count - less));
      sum += counts.back();
      displacements.push_back(2 * (ranks - 1 - r) * count);
    }
    is_root = twin.ours.rank() == root;
    if (scatters_sum()) in_place = false;  // memory after the own part is unspecified
    const bool uneven = what == What::gatherv || what == What::scatterv ||
                        what == What::allgatherv || what == What::reduce_scatter;
    own_count = uneven ? counts[static_cast<std::size_t>(twin.ours.rank())] : count;
    const int all = 2 * ranks * count;
    const bool exchanges = what == What::alltoall || what == What::alltoallv;
    const bool gathers = what == What::gather || what == What::gatherv || what == What::allgather ||
                         what == What::allgatherv;
    data = Elements(in, scatters_sum()            ? std::max(sum, ranks * count)
                        : scatters() || exchanges ? all
                                                  : own_count);
    data.fill(mine);
    // MPICH 4.0 expects rank r's part of a gathered result r parts of 8 bytes per element after
    // its origin, even if extents are negative, and refuses data that begin there. Addresses with
    // another remainder modulo 8 avoid this.
    result = Elements(out, gathers || exchanges ? all : count, /*lead=*/4);
    if (in_place) result.fill(mine);
    if (what == What::bcast) {
      result = Elements(in, count);
      result.fill(mine);
    }
    // MPICH 4.0 writes out of bounds when it combines elements with a negative extent, in
    // MPI_Reduce_scatter_block also elements with gaps; Open MPI 4.1 does so for elements that
    // begin below 0.
    const bool mistaken = !nothing && (scatters_sum() || in.extent < 0 || in.a < 0);
    mpis = reduces && mistaken ? layouts.front() : in;
    data_of_mpi = mpis.type == in.type ? data : data.as(mpis);
    of_mpi = mpis.type == in.type ? result : result.as(mpis);
  }

  bool is_as_mpis() const { return result == (mpis.type == in.type ? of_mpi : of_mpi.as(out)); }

  const void* from(Elements& elements) {
    const bool everywhere = what == What::allreduce || what == What::scan || what == What::exscan ||
                            what == What::allgather || what == What::allgatherv ||
                            what == What::alltoall || what == What::alltoallv;
    return in_place && (everywhere || (is_root && !scatters())) ? MPI_IN_PLACE : elements.data();
  }
  void* to(Elements& elements) {
    return in_place && is_root && scatters() ? MPI_IN_PLACE : elements.data();
  }
  bool scatters() const { return what == What::scatter || what == What::scatterv; }
  bool scatters_sum() const {
    return what == What::reduce_scatter || what == What::reduce_scatter_block;
  }

  Request start() {
    const Comm& comm = twin.ours;
    const void* give = from(data);
    void* get = to(result);
    switch (what) {
      case What::bcast:
        return ibcast(get, count, in.type, root, comm, tag);
      case What::reduce:
        return ireduce(give, get, count, in.type, op, root, comm, tag);
      case What::allreduce:
        return iallreduce(give, get, count, in.type, op, comm, tag);
      case What::scan:
        return iscan(give, get, count, in.type, op, comm, tag);
      case What::exscan:
        return iexscan(give, get, count, in.type, op, comm, tag);
      case What::gather:
        return igather(give, count, in.type, get, count, out.type, root, comm, tag);
      case What::gatherv:
        return igatherv(give, own_count, in.type, get, counts.data(), displacements.data(),
                        out.type, root, comm, tag);
      case What::allgather:
        return iallgather(give, count, in.type, get, count, out.type, comm, tag);
      case What::allgatherv:
        return iallgatherv(give, own_count, in.type, get, counts.data(), displacements.data(),
                           out.type, comm, tag);
      case What::scatter:
        return iscatter(give, count, in.type, get, count, out.type, root, comm, tag);
      case What::scatterv:
        return iscatterv(give, counts.data(), displacements.data(), in.type, get, own_count,
                         out.type, root, comm, tag);
      case What::alltoall:
        return ialltoall(give, count, in.type, get, count, out.type, comm, tag);
      case What::alltoallv:
        return ialltoallv(give, counts.data(), displacements.data(), in.type, get, counts.data(),
                          displacements.data(), out.type, comm, tag);
      case What::reduce_scatter:
        return ireduce_scatter(give, get, counts.data(), in.type, op, comm, tag);
      case What::reduce_scatter_block:
        return ireduce_scatter_block(give, get, count, in.type, op, comm, tag);
      case What::barrier:
        break;
    }
    return ibarrier(comm, tag);
  }

  int start_mpis(MPI_Request* request) {
    const MPI_Comm comm = twin.mpi;
    const void* give = from(data_of_mpi);
    void* get = to(of_mpi);
    switch (what) {
      case What::bcast:
        return MPI_Ibcast(get, count, in.type, root, comm, request);
      case What::reduce:
        return MPI_Ireduce(give, get, count, mpis.type, op, root, comm, request);
      case What::allreduce:
        return MPI_Iallreduce(give, get, count, mpis.type, op, comm, request);
      case What::scan:
        return MPI_Iscan(give, get, count, mpis.type, op, comm, request);
      case What::exscan:
        return MPI_Iexscan(give, get, count, mpis.type, op, comm, request);
      case What::gather:
        return MPI_Igather(give, count, in.type, get, count, out.type, root, comm, request);
      case What::gatherv:
        return MPI_Igatherv(give, own_count, in.type, get, counts.data(), displacements.data(),
                            out.type, root, comm, request);
      case What::allgather:
        return MPI_Iallgather(give, count, in.type, get, count, out.type, comm, request);
      case What::allgatherv:
        return MPI_Iallgatherv(give, own_count, in.type, get, counts.data(), displacements.data(),
                               out.type, comm, request);
      case What::scatter:
        return MPI_Iscatter(give, count, in.type, get, count, out.type, root, comm, request);
      case What::scatterv:
        return MPI_Iscatterv(give, counts.data(), displacements.data(), in.type, get, own_count,
                             out.type, root, comm, request);
      case What::alltoall:
        return MPI_Ialltoall(give, count, in.type, get, count, out.type, comm, request);
      case What::alltoallv:
        return MPI_Ialltoallv(give, counts.data(), displacements.data(), in.type, get,
                              counts.data(), displacements.data(), out.type, comm, request);
      case What::reduce_scatter:
        return MPI_Ireduce_scatter(give, get, counts.data(), mpis.type, op, comm, request);
      case What::reduce_scatter_block:
        return MPI_Ireduce_scatter_block(give, get, count, mpis.type, op, comm, request);
      case What::barrier:
        return MPI_Ibarrier(comm, request);
    }
    return MPI_SUCCESS;
  }

  What what;
  Twin twin;
  int tag;
  MPI_Op op;
  bool in_place;
  bool nothing = false;
  int count = 0;
  int own_count = 0;
  int sum = 0;
  int root = 0;
  bool is_root = false;
  TypeLayout in{};
  TypeLayout out{};
  std::vector<int> counts;
  std::vector<int> displacements;
  Elements data;
  Elements result;
  TypeLayout mpis{};
  Elements data_of_mpi;
  Elements of_mpi;
};

class RandomCollectives : public RangeTest {
 protected:
  using Actions = std::vector<std::unique_ptr<Action>>;

  RandomCollectives() {
    layouts_of_operations = &layouts_.all();
    MPI_Op_create(&compose_random, 0, &compose_);
    MPI_Op_create(&add_random, 1, &add_);
  }
  ~RandomCollectives() override {
    MPI_Op_free(&add_);
    MPI_Op_free(&compose_);
  }

  /// Returns the caller's operations in a program; `tag_of(i)` is the tag of the i-th operation.
  template <class TagOf>
  Actions draw(const Twins& twins, unsigned number, Dice& dice, Dice& mine, int at_once,
               TagOf tag_of) {
    Actions actions;
    for (int i = 0; i < at_once; ++i) {
      const Twin& twin = dice.one_of(twins.all());
      Dice of_action(number, 1000 + static_cast<unsigned>(i));
      if (twin.mpi == MPI_COMM_NULL) continue;
      actions.push_back(std::make_unique<Action>(of_action, mine, twin, layouts_.all(), compose_,
                                                 add_, tag_of(i)));
    }
    return actions;
  }

  void expect_as_mpis(const Actions& actions, unsigned number) {
    alarm(120);  // seconds per program
    for (const auto& action : actions) {
      // MPICH 4.0 hangs if some members pass 0 elements and others pass empty elements.
      if (!action->nothing) {
        MPI_Request request = MPI_REQUEST_NULL;
        action->start_mpis(&request);
        parent.waiter().wait(request);
      }
      EXPECT_TRUE(action->is_as_mpis())
          << "case " << number << ", operation " << static_cast<int>(action->what) << ", count "
          << action->count << ", root " << action->root << " of " << action->twin.ours.size()
          << ", in place " << action->in_place;
    }
  }

  static void wait(std::vector<Request>& requests, Dice& mine) {
    if (mine.one_in(2)) {
      waitall(requests);
    } else {
      mine.shuffle(requests);
      for (Request& request : requests) request.wait();
    }
  }

  const Layouts layouts_;
  MPI_Op compose_ = MPI_OP_NULL;
  MPI_Op add_ = MPI_OP_NULL;
};

TEST_F(RandomCollectives, GiveWhatMpisGive) {
  constexpr int at_once = 4;
  const Twins twins(world, 1);
  int operations = 0;
  for (unsigned number = 0; operations < number_of_cases(2000); ++number, operations += at_once) {
    Dice dice(number, 7);
    Dice mine(number, 100 + static_cast<unsigned>(rank));
    const Actions actions = draw(twins, number, dice, mine, at_once, [](int i) { return i; });
    std::vector<Action*> order;
    for (const auto& action : actions) order.push_back(action.get());
    mine.shuffle(order);
    std::vector<Request> requests;
    for (Action* action : order) requests.push_back(action->start());
    wait(requests, mine);
    expect_as_mpis(actions, number);
  }
}

// Programs of several collectives without tags. Each process keeps the order on one communicator,
// interleaves communicators at random, and starts some operations only when others are complete.
TEST_F(RandomCollectives, InCallOrderGiveWhatMpisGive) {
  const Twins twins(world, 2);
  const auto programs = static_cast<unsigned>(number_of_cases(2000) / 4);
  for (unsigned number = 0; number < programs; ++number) {
    Dice dice(number, 8);
    Dice mine(number, 100 + static_cast<unsigned>(rank));
    const Actions actions =
        draw(twins, number, dice, mine, 2 + dice.below(9), [](int) { return in_call_order; });
    // Equal communicators count as one.
    std::vector<std::vector<Action*>> on_each;
    for (const auto& action : actions) {
      const auto same = std::ranges::find_if(on_each, [&](const std::vector<Action*>& others) {
        return others.front()->twin.ours.context() == action->twin.ours.context();
      });
      if (same == on_each.end()) {
        on_each.push_back({action.get()});
      } else {
        same->push_back(action.get());
      }
    }
    for (auto& some : on_each) std::ranges::reverse(some);
    std::vector<Request> requests;
    while (!on_each.empty()) {
      const int which = mine.below(on_each.size());
      auto& next = on_each[static_cast<std::size_t>(which)];
      requests.push_back(next.back()->start());
      next.pop_back();
      if (next.empty()) on_each.erase(on_each.begin() + which);
      if (mine.one_in(3)) parent.progress();
    }
    wait(requests, mine);
    expect_as_mpis(actions, number);
  }
}

}  // namespace
}  // namespace regroup::range::random_collectives_test
