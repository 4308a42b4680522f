// SPDX-License-Identifier: BSD-3-Clause
//
// A round: rank 0 broadcasts the tasks and the plan; each smallest group executes its wide tasks,
// and then takes narrow tasks from the queue that the groups of its host share; the leaders send
// the results to rank 0.
#include "regroup/pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "engines/mpi/agreeing_team.hpp"
#include "engines/mpi/processes.hpp"
#include "engines/mpi/state_messages.hpp"
#include "engines/mpi/tags.hpp"
#include "kernel/clocks/clock.hpp"
#include "pool/plan.hpp"
#include "pool/shared_counter.hpp"
#include "regroup/waiter.hpp"

namespace regroup {
namespace {

double now() { return read_clock(CLOCK_MONOTONIC); }

/// Returns the approximate time to start a task in several groups.
double overhead_s(const Waiter& waiter) { return waiter.how() == Waiting::direct ? 50e-6 : 300e-6; }

struct TaskResult {
  int task = 0;
  int width = 1;
  double seconds = 0;
  bool failed = false;
  State bytes;  ///< the result, or the text of the error
};

void put(Packer& packer, const TaskResult& result) {
  packer.put(result.task);
  packer.put(result.width);
  packer.put(result.seconds);
  packer.put(result.failed);
  packer.put_all(std::span<const std::byte>(result.bytes));
}

TaskResult take_result(Unpacker& unpacker) {
  TaskResult result;
  result.task = unpacker.take<int>();
  result.width = unpacker.take<int>();
  result.seconds = unpacker.take<double>();
  result.failed = unpacker.take<bool>();
  result.bytes = unpacker.take_all<std::byte>();
  return result;
}

}  // namespace

/// This process's part in a pool.
class Pool::Member {
 public:
  Member(MPI_Comm comm, Function function, const Settings& settings);

  int rank() { return site().rank(); }
  int size() { return site().size(); }
  bool is_open() const { return open_; }
  bool in_round() const { return in_round_; }
  const State& shared() const { return shared_; }
  std::int64_t times_shared() const { return times_shared_; }
  const Round& last_round() const { return last_round_; }

  std::vector<State> map(std::span<const State> tasks, std::span<const double> costs);
  void share(State data);
  void close();
  /// On ranks other than 0: executes a received command. Returns whether the pool is still open.
  bool handle_command();

 private:
  enum class Command : int { round, share, close };

  /// A team that has executed a task, with its communicator.
  struct KnownTeam {
    explicit KnownTeam(GroupComm of, const Waiter& waiter, TeamCommunicators& communicators)
        : comm(std::move(of)), team(comm, waiter, communicators) {}
    GroupComm comm;
    AgreeingTeam team;
  };

  Site& site() { return processes_.site(); }
  int groups() { return (size() + group_size_ - 1) / group_size_; }
  int own_group() { return rank() / group_size_; }
  bool leading() { return rank() % group_size_ == 0; }

  /// Returns the team of the `width` smallest groups from `first` on, to which this rank belongs.
  AgreeingTeam& team_of(int first, int width);

  /// Broadcasts `message` from rank 0.
  void send_command(Command command, const State& message);
  std::pair<Command, State> receive_command();

  std::vector<TaskResult> execute_round(const State& message);
  void execute(int task, int first, int width, const std::vector<State>& tasks,
               std::vector<TaskResult>& results);
  void send(const std::vector<TaskResult>& results);
  std::vector<TaskResult> receive();  ///< from the other leaders

  Processes& processes_;
  Function function_;
  int group_size_;
  SharedCounter counter_;
  std::vector<int> set_of_;            // of each smallest group
  std::vector<int> groups_in_;         // of each set
  std::vector<std::int64_t> counted_;  // of each set: value of its counter before this round
  TeamCommunicators communicators_;
  std::map<std::pair<int, int>, KnownTeam> teams_;
  bool open_ = true;
  bool in_round_ = false;
  State shared_;
  std::int64_t times_shared_ = 0;
  TaskTimes times_;  // only on rank 0, as last_round_
  Round last_round_;
};

Pool::Member::Member(MPI_Comm comm, Function function, const Settings& settings)
    : processes_(kept_processes(settings.waiting, comm)),
      function_(std::move(function)),
      group_size_(settings.group_size),
      counter_(processes_.surroundings().nodes, processes_.waiter(), processes_.world()) {
  // Sets are numbered in the order of their first groups.
  std::map<int, int> numbers;
  for (int group = 0; group < groups(); ++group) {
    const int set = counter_.sets()[static_cast<std::size_t>(group * group_size_)];
    set_of_.push_back(numbers.try_emplace(set, static_cast<int>(numbers.size())).first->second);
  }
  groups_in_.resize(numbers.size(), 0);
  for (const int set : set_of_) groups_in_[static_cast<std::size_t>(set)] += 1;
  counted_.resize(numbers.size(), 0);
}

AgreeingTeam& Pool::Member::team_of(int first, int width) {
  const auto key = std::pair(first, width);
  auto known = teams_.find(key);
  if (known == teams_.end()) {
    const int lo = first * group_size_;
    const int hi = std::min((first + width) * group_size_, size()) - 1;
    known = teams_
                .try_emplace(key, GroupComm(site().all().range(lo, hi)), processes_.waiter(),
                             communicators_)
                .first;
  }
  return known->second.team;
}

namespace {

/// The first part of a message. All ranks know its size.
struct FirstPart {
  int command = 0;
  std::size_t size = 0;
  std::array<std::byte, 4096 - 2 * sizeof(std::size_t)> begin{};
};

}  // namespace

void Pool::Member::send_command(Command command, const State& message) {
  message_length(message.size());  // throws if it is too long
  FirstPart first{static_cast<int>(command), message.size(), {}};
  const std::size_t now_too = std::min(message.size(), first.begin.size());
  std::copy_n(message.begin(), now_too, first.begin.begin());
  bcast(&first, sizeof first, MPI_BYTE, 0, site().all());
  if (message.size() == now_too) return;
  // The root only reads the buffer.
  bcast(const_cast<std::byte*>(message.data()) + now_too,
        static_cast<int>(message.size() - now_too), MPI_BYTE, 0, site().all());
}

std::pair<Pool::Member::Command, State> Pool::Member::receive_command() {
  FirstPart first;
  bcast(&first, sizeof first, MPI_BYTE, 0, site().all());
  State message(first.size);
  const std::size_t came_too = std::min(message.size(), first.begin.size());
  std::copy_n(first.begin.begin(), came_too, message.begin());
  if (message.size() > came_too) {
    bcast(message.data() + came_too, static_cast<int>(message.size() - came_too), MPI_BYTE, 0,
          site().all());
  }
  return {static_cast<Command>(first.command), std::move(message)};
}

bool Pool::Member::handle_command() {
  auto [command, message] = receive_command();
  switch (command) {
    case Command::round:
      send(execute_round(message));
      break;
    case Command::share:
      shared_ = std::move(message);
      ++times_shared_;
      break;
    case Command::close:
      open_ = false;
      break;
  }
  return open_;
}

void Pool::Member::share(State data) {
  send_command(Command::share, data);
  shared_ = std::move(data);
  ++times_shared_;
}

void Pool::Member::close() {
  if (std::exchange(open_, false)) send_command(Command::close, {});
}

std::vector<TaskResult> Pool::Member::execute_round(const State& message) {
  Unpacker unpacker(message);
  const auto wide = unpacker.take_all<PoolPlan::Wide>();
  std::vector<std::vector<int>> queues(counted_.size());
  for (auto& queue : queues) queue = unpacker.take_all<int>();
  std::vector<State> tasks(unpacker.take<std::size_t>());
  for (State& task : tasks) task = unpacker.take_all<std::byte>();

  in_round_ = true;
  const AtEnd ended([&] { in_round_ = false; });
  std::vector<TaskResult> results;
  const int group = own_group();
  PoolPlan::Wide last{.width = 0};
  for (const PoolPlan::Wide& one : wide) {
    if (group < one.first || group >= one.first + one.width) continue;
    // Windows are nested or disjoint: either all members come from the same window, or none does.
    const bool together = last.first == one.first && last.width == one.width;
    if (!together) team_of(one.first, one.width).gather();
    execute(one.task, one.first, one.width, tasks, results);
    last = one;
  }
  const auto set = static_cast<std::size_t>(set_of_[static_cast<std::size_t>(group)]);
  const std::vector<int>& queue = queues[set];
  const auto size = static_cast<std::int64_t>(queue.size());
  AgreeingTeam& own = team_of(group, 1);
  while (size > 0) {
    const std::int64_t next = own.from_leader(leading() ? counter_.next() - counted_[set] : 0);
    if (next >= size) break;
    execute(queue[static_cast<std::size_t>(next)], group, 1, tasks, results);
  }
  // Each group has drawn one number beyond the end of the queue.
  if (size > 0) counted_[set] += size + groups_in_[set];
  return results;
}

void Pool::Member::execute(int task, int first, int width, const std::vector<State>& tasks,
                           std::vector<TaskResult>& results) {
  AgreeingTeam& team = team_of(first, width);
  TaskResult result{task, width, 0, false, {}};
  const double began = now();
  const auto error =
      team.execute([&] { result.bytes = function_(tasks[static_cast<std::size_t>(task)], team); });
  if (team.rank() != 0) return;
  result.seconds = now() - began;
  if (error) {
    result.failed = true;
    const auto text = std::as_bytes(std::span(*error));
    result.bytes.assign(text.begin(), text.end());
  }
  results.push_back(std::move(result));
}

void Pool::Member::send(const std::vector<TaskResult>& results) {
  if (!leading()) return;
  State message;
  Packer packer(message);
  packer.put(results.size());
  for (const TaskResult& result : results) put(packer, result);
  send_state(message, 0, tag_result, processes_.waiter(), processes_.world());
}

std::vector<TaskResult> Pool::Member::receive() {
  std::vector<TaskResult> all;
  for (int leader = group_size_; leader < size(); leader += group_size_) {
    const State message =
        receive_state(leader, tag_result, processes_.waiter(), processes_.world());
    Unpacker unpacker(message);
    const auto results = unpacker.take<std::size_t>();
    for (std::size_t j = 0; j < results; ++j) all.push_back(take_result(unpacker));
  }
  return all;
}

std::vector<State> Pool::Member::map(std::span<const State> tasks, std::span<const double> costs) {
  const double began = now();
  times_.begin(tasks.size(), costs);
  const PoolPlan planned = plan(static_cast<int>(tasks.size()), times_, set_of_,
                                times_.in_seconds() ? overhead_s(processes_.waiter()) : 0);
  State message;
  Packer packer(message);
  packer.put_all(std::span<const PoolPlan::Wide>(planned.wide));
  for (const auto& queue : planned.queues) packer.put_all(std::span<const int>(queue));
  packer.put(tasks.size());
  for (const State& task : tasks) packer.put_all(std::span<const std::byte>(task));
  send_command(Command::round, message);

  std::vector<TaskResult> all = execute_round(message);
  std::ranges::move(receive(), std::back_inserter(all));
  last_round_ = {.tasks = tasks.size(),
                 .wide = planned.wide.size(),
                 .expected_s = times_.in_seconds() ? planned.expected_s : 0};
  std::vector<State> results(tasks.size());
  std::optional<TaskResult> failed;
  for (TaskResult& result : all) {
    const auto number = static_cast<std::size_t>(result.task);
    if (!result.failed) {
      times_.add(number, result.width, result.seconds);
      results[number] = std::move(result.bytes);
    } else if (!failed || result.task < failed->task) {
      failed = std::move(result);
    }
  }
  last_round_.seconds = now() - began;
  if (!failed) return results;
  const std::string_view text(reinterpret_cast<const char*>(failed->bytes.data()),
                              failed->bytes.size());
  throw TaskFailed(static_cast<std::size_t>(failed->task),
                   fmt::format("task {}: {}", failed->task, text));
}

Pool::Pool(MPI_Comm comm, Function function, const Settings& settings) {
  const int ranks = size_of(comm);
  if (settings.group_size < 1 || settings.group_size > ranks) {
    throw std::invalid_argument(fmt::format("a pool of {} ranks has groups of {}; allowed: 1 to {}",
                                            ranks, settings.group_size, ranks));
  }
  member_ = std::make_unique<Member>(comm, std::move(function), settings);
}

Pool::~Pool() {
  if (is_master()) member_->close();
}

bool Pool::is_master() const { return member_->rank() == 0; }
int Pool::size() const { return member_->size(); }
const State& Pool::shared() const { return member_->shared(); }
std::int64_t Pool::times_shared() const { return member_->times_shared(); }
const Pool::Round& Pool::last_round() const { return member_->last_round(); }

namespace {

void require(bool right, const char* call, const char* where) {
  if (!right) throw std::logic_error(fmt::format("Pool::{} was called {}", call, where));
}

}  // namespace

void Pool::serve() {
  require(!is_master(), "serve", "on rank 0");
  while (member_->is_open() && member_->handle_command()) continue;
}

std::vector<State> Pool::map(std::span<const State> tasks, std::span<const double> costs) {
  require(is_master(), "map", "on another rank than 0");
  require(member_->is_open(), "map", "after close");
  require(!member_->in_round(), "map", "within a task");
  if (!costs.empty() && costs.size() != tasks.size()) {
    throw std::invalid_argument(
        fmt::format("{} costs were given for {} tasks", costs.size(), tasks.size()));
  }
  if (!std::ranges::all_of(costs, [](double cost) { return cost >= 0 && cost < 1e300; })) {
    throw std::invalid_argument("costs of tasks are finite numbers that are not negative");
  }
  return member_->map(tasks, costs);
}

void Pool::share(State data) {
  require(is_master(), "share", "on another rank than 0");
  require(member_->is_open(), "share", "after close");
  require(!member_->in_round(), "share", "within a task");
  member_->share(std::move(data));
}

void Pool::close() {
  require(is_master(), "close", "on another rank than 0");
  require(!member_->in_round(), "close", "within a task");
  member_->close();
}

}  // namespace regroup
