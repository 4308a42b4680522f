// SPDX-License-Identifier: BSD-3-Clause
//
// Measures the overhead of the framework on the work of a walker.
//
//   mpiexec -n 32 build/walkers_micro --benchmark_filter=hand_over
//   mpiexec -n 1 build/walkers_micro --benchmark_filter="transition|fixed_point"
//   mpiexec -n 2 build/walkers_micro --benchmark_filter=team_sum
//
// hand_over/bytes:N   one rank has a walker with a state of N bytes, and all others join its group:
//                     time from the creation of the group's communicator until all walkers can
//                     continue, with an MPI communicator (hand_over_s), compared with a bare
//                     MPI_Ibcast of the bytes (mpi_s). The same Waiter waits for both. (If ranks
//                     outnumber cores, MPI_Bcast busy-waits and takes a hundred times as long.)
// transition/moves:N  a chain of lennard_jones, 55 atoms, on each rank alone: time per move in a
//                     run of the engine with items of N moves (engine_s), and in a hand-written
//                     loop with the same energies, random numbers and acceptance (loop_s).
// fixed_point/terms:N time per term of an exact sum (fixed_s), and of a sum of 64-bit multiples of
//                     2^-32 without overflow checks (bare_s).
// team_sum/values:N   the sum of N such numbers over all members (fixed_s), and of N integers
//                     (integers_s).
//
// A time is the maximum over ranks; counters are medians, in seconds. `ratio` is the quotient of
// the two medians; for transitions, it is the median of the quotients of consecutive measurements,
// since the processor frequency varies.
#include "balancers/balancers.hpp"
#include "engines/mpi/agreeing_team.hpp"
#include "engines/mpi/chains.hpp"
#include "engines/mpi/engine.hpp"
#include "kernel/starting_groups.hpp"
#include "library/resolve.hpp"
#include "regroup/communicator.hpp"
#include "regroup/numbers.hpp"
#include "regroup/walker.hpp"
#include "tests/micro/mpi_main.hpp"
#include "tests/mpi/fixtures.hpp"
#include "walkers/lennard_jones.hpp"

namespace {

using namespace regroup;

void hand_over(benchmark::State& state, const range::Comm& world, int bytes) {
  const WalkerSource source = sleeping(bytes);
  const Waiter& waiter = world.parent().waiter();
  CommunicatorCount alive;
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  const GroupComm group(CommHandle(copy, alive));
  const int last = world.size() - 1;
  const Group before{
      RankRange{world.rank(), world.rank()}, world.rank() == last ? Chain{last, 9} : Chain{}, {}};
  const Group after{RankRange{0, last}, {last, 9}, {}};
  Site site(MPI_COMM_WORLD, waiter);
  const World ranks(site);
  const RunInput run;
  Carrier carrier(source, run, ranks);
  TeamCommunicators communicators;
  AgreeingTeam team(group, waiter, communicators);
  const auto ours = [&](int count) {
    for (int i = 0; i < count; ++i) {
      carrier.start(before.chain);
      carrier.take_over(before, after, team, false);
    }
  };
  std::vector<std::byte> data(static_cast<std::size_t>(bytes));
  const auto theirs = [&](int count) {
    for (int i = 0; i < count; ++i) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Ibcast(data.data(), bytes, MPI_BYTE, last, group.comm(), &request);
      waiter.wait(request);
    }
  };
  const int batch = micro::crowded(world) ? 5 : 50;
  micro::time_in_turn(state, world, {{"hand_over_s", batch, ours}, {"mpi_s", batch, theirs}});
}

constexpr std::size_t atoms = 55;
constexpr double temperature = 0.3;
constexpr double step = 0.1;
constexpr std::int64_t all_moves = 20000;

/// Executes `moves` moves as a program without a framework would.
void loop(std::vector<Point>& places, int chain, std::int64_t moves) {
  const double radius = 1.5 * std::cbrt(static_cast<double>(atoms));
  FixedPoint energy = energy_of(places);
  for (std::int64_t i = 0; i < moves; ++i) {
    const auto draw = [&](std::uint64_t which) {
      return random_bits(1, Purpose::chain, static_cast<std::uint64_t>(chain),
                         5 * static_cast<std::uint64_t>(i) + which);
    };
    const auto along = [&](std::uint64_t which) {
      return step * (2 * unit_interval(draw(which)) - 1);
    };
    const auto atom = static_cast<std::size_t>(draw(0) % atoms);
    const Point& old = places[atom];
    const Point moved{old.x + along(1), old.y + along(2), old.z + along(3)};
    if (distance2(moved, {}) > radius * radius) continue;
    const FixedPoint gained =
        binding_of(atom, moved, places, 0, 1) - binding_of(atom, old, places, 0, 1);
    if (!metropolis_accepts(gained.value() / temperature, draw(4))) continue;
    places[atom] = moved;
    energy -= gained;
  }
  benchmark::DoNotOptimize(energy);
}

void transition(benchmark::State& state, const range::Comm& world, std::int64_t moves) {
  RunInput run;
  run.ranks = world.size();
  run.groups = initial_groups(run.ranks, 1);
  run.items.assign(run.groups.size(), all_moves / moves);
  run.balancer = find_entry(balancers(), "none")->make({});
  run.item_time = ItemTime([](int) { return 1e-6; }, 0, 1);
  const ClusterModel model{atoms, temperature, 1.5 * std::cbrt(static_cast<double>(atoms)), 0,
                           moves};
  Processes processes("auto", MPI_COMM_WORLD);
  RealRun real;
  real.walkers = {[&](ChainName name) { return std::make_unique<Cluster>(model, step, name); },
                  true};
  const std::vector<Point> start = Cluster(model, step, {world.rank(), 1}).atoms();
  std::vector<double> engine_s;
  std::vector<double> loop_s;
  for (auto _ : state) {
    const auto input = std::make_shared<const RunInput>(run);
    engine_s.push_back(execute(input, real, processes).makespan_s() / all_moves);
    std::vector<Point> places = start;
    loop_s.push_back(
        micro::slowest_s(world, {"", 1, [&](int) { loop(places, world.rank(), all_moves); }}) /
        all_moves);
    state.SetIterationTime(engine_s.back());
  }
  state.counters["engine_s"] = median(engine_s);
  state.counters["loop_s"] = median(loop_s);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < engine_s.size(); ++i) ratios.push_back(engine_s[i] / loop_s[i]);
  state.counters["ratio"] = median(ratios);
}

void fixed_point(benchmark::State& state, const range::Comm& world, std::size_t terms) {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < terms; ++i) {
    values.push_back(10 * standard_normal(random_bits(1, Purpose::exploration, 0, i)));
  }
  // The number of sums is scaled so that times are per term.
  const int batch = static_cast<int>(1000 * terms);
  const auto repeat = [=](int count, const auto& add_up) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(count) / terms; ++i) add_up();
  };
  const auto fixed = [&](int count) {
    repeat(count, [&] {
      FixedPoint sum;
      for (const double value : values) sum += FixedPoint::of(value);
      benchmark::DoNotOptimize(sum);
    });
  };
  const auto bare = [&](int count) {
    repeat(count, [&] {
      std::int64_t sum = 0;
      for (const double value : values) sum += std::llrint(value * 0x1p32);
      benchmark::DoNotOptimize(sum);
    });
  };
  micro::time_in_turn(state, world, {{"fixed_s", batch, fixed}, {"bare_s", batch, bare}});
}

void team_sum(benchmark::State& state, const range::Comm& world, std::size_t values) {
  CommunicatorCount alive;
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  const GroupComm group(CommHandle(copy, alive));
  TeamCommunicators communicators;
  GroupTeam team(group, world.parent().waiter(), communicators);
  std::vector<FixedPoint> numbers(values, FixedPoint());
  std::vector<std::int64_t> integers(values, 0);
  const auto fixed = [&](int count) {
    for (int i = 0; i < count; ++i) team.sum(numbers);
  };
  const auto bare = [&](int count) {
    for (int i = 0; i < count; ++i) team.sum(integers);
  };
  const int batch = micro::crowded(world) ? 20 : 1000;
  micro::time_in_turn(state, world, {{"fixed_s", batch, fixed}, {"integers_s", batch, bare}});
}

void add_all(const range::Comm& world) {
  micro::add("fixed_point/terms:1000", benchmark::kNanosecond, 30,
             [=](auto& state) { fixed_point(state, world, 1000); });
  for (const std::size_t values : {1, 100, 10'000}) {
    micro::add("team_sum/values:" + std::to_string(values), benchmark::kMicrosecond, 30,
               [=](auto& state) { team_sum(state, world, values); });
  }
  for (const int bytes : {100, 10'000, 1'000'000}) {
    micro::add("hand_over/bytes:" + std::to_string(bytes), benchmark::kMicrosecond, 15,
               [=](auto& state) { hand_over(state, world, bytes); });
  }
  for (const std::int64_t moves : {1, 10, 100}) {
    micro::add("transition/moves:" + std::to_string(moves), benchmark::kNanosecond, 60,
               [=](auto& state) { transition(state, world, moves); });
  }
}

}  // namespace

int main(int argc, char** argv) { return micro::main(argc, argv, add_all); }
