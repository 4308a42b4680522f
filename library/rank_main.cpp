// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <mpi.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>

#include "engines/mpi/arranged_world.hpp"
#include "engines/mpi/loss_watch.hpp"
#include "engines/mpi/surroundings.hpp"
#include "kernel/chains/state_files.hpp"
#include "kernel/clocks/sleep.hpp"
#include "kernel/files/failures.hpp"
#include "kernel/files/files.hpp"
#include "library/execute.hpp"
#include "library/guard.hpp"
#include "library/probe.hpp"
#include "library/rank_watch.hpp"
#include "library/shared_by_ranks.hpp"
#include "library/task.hpp"
#include "library/version.hpp"
#include "regroup/program.hpp"

namespace regroup {
namespace {

using Clock = std::chrono::steady_clock;

/// The file of losses of a run that recovers from lost ranks; empty for other runs.
std::string losses;

/// Whether the loss of another rank may have caused an error. Waits up to 5 s to hear of a loss.
bool may_be_due_to_a_loss() {
  constexpr auto longest_silence = std::chrono::seconds(5);
  for (const auto end = Clock::now() + longest_silence; Clock::now() < end; sleep_for(0.01)) {
    if (!read_losses(losses).empty()) return true;
  }
  return false;
}

void report_and_abort(MPI_Comm*, int* code, ...) {
  if (!losses.empty() && may_be_due_to_a_loss()) return;  // a message to a lost rank
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  int rank = -1;
  MPI_Error_string(*code, text, &length);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  report_failure(fmt::format("rank {}: {}", rank, text));
  MPI_Abort(MPI_COMM_WORLD, 3);
}

void report_errors() {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(report_and_abort, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPI_Errhandler_free(&handler);
}

/// Writes progress for the launching command, which may read it at any time.
void write_news(const std::string& file, std::int64_t items, const Convergence& found) {
  const std::string text = text_of(found);
  if (text.empty()) return;
  const std::string draft = file + ".new";
  std::ofstream(draft) << fmt::format("{} items: {}", items, text);
  std::error_code nobody_looks;
  std::filesystem::rename(draft, file, nobody_looks);
}

/// Reports an error that all ranks have in common, after which they exit as if there were none.
void say_together(std::string_view word, std::string_view why) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) report_failure(fmt::format("{}{}", word, why));
}

struct ReadTask {
  ReadTask(const char* file, const AddRows& add_rows) : catalog(make_catalog(add_rows)) {
    const std::optional<std::string> text = read_file(file);
    if (!text) throw std::runtime_error(fmt::format("cannot read {}", file));
    task = task_from_json(*text, catalog);
  }

  Catalog catalog;
  Task task;  // points to rows of the catalog
};

void execute_task(const char* task_file, const char* outcome_file, const AddRows& add_rows,
                  RankWatch* watch, BlackBox* box) {
  const auto read = shared_by_ranks([&] { return ReadTask(task_file, add_rows); });
  const Task& task = read->task;
  const bool saves = task.is_run() && task.run().writes_states();
  Listeners launcher;
  launcher.on_start = [mark = start_file(outcome_file)] {
    std::ofstream{mark} << program_version().version;
  };
  launcher.on_reports = [news = progress_file(outcome_file)](std::int64_t items,
                                                             const Convergence& found) {
    write_news(news, items, found);
  };
  if (watch != nullptr && task.is_run()) {
    watch->expect(task.timeout_s);
    launcher.position = &watch->position();
  } else if (watch != nullptr) {
    watch->end();
  }
  // Simulated ranks are arranged from the start.
  const Arrangement asked =
      is_simulated() ? Arrangement{} : Arrangement{task.ranks_per_node, task.rank_order, task.seed};
  const ArrangedWorld world(own_location().host, asked, MPI_COMM_WORLD);
  launcher.box = box;
  launcher.outcome_file = outcome_file;
  launcher.store = [&](const Outcome& outcome) {
    replace_file(outcome_file, to_json(outcome) + '\n');  // atomic: an existing file is complete
  };
  const Outcome outcome =
      execute(task, world.comm(), saves ? states_beside(task_file) : "", launcher);
  if (world.rank() == 0 && box == nullptr) launcher.store(outcome);
}

}  // namespace

int rank_main(int argc, char** argv, const AddRows& add_rows) {
  int initialised = 0;  // mpi4py may have initialised MPI
  MPI_Initialized(&initialised);
  const bool guarded = argc == 4 && argv[3] == guarded_argument;
  const bool has_task = argc == 3 || guarded;
  BlackBox* box = nullptr;
  if (guarded && initialised != 0) {
    report_failure("on_rank_loss: recover needs a program that has not called MPI_Init itself");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  if (guarded) box = &guard_rank(argv[2]);
  if (has_task) log_failures_of(argv[2]);
  if (guarded) {
    std::signal(SIGUSR1, SIG_IGN);  // see guard_rank
    losses = losses_file(argv[2]);
  }
  std::optional<RankWatch> watch;
  if (has_task && !is_simulated()) watch.emplace(argv[2]);
  if (initialised == 0) MPI_Init(&argc, &argv);
  report_errors();
  std::string problem;
  try {
    const bool asked = argc == 2 && answered(argv[1], MPI_COMM_WORLD);
    if (!has_task && !asked) {
      throw std::invalid_argument("the arguments must be TASK_FILE OUTCOME_FILE");
    }
    if (!asked) execute_task(argv[1], argv[2], add_rows, watch ? &*watch : nullptr, box);
  } catch (const Unsupported& why) {
    say_together(unsupported_prefix, why.what());
  } catch (const Misplaced& why) {
    say_together(failed_prefix, why.what());
  } catch (const std::exception& error) {
    problem = error.what();
  }
  if (!problem.empty()) {
    report_failure(problem);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Finalize();
  return 0;
}

}  // namespace regroup
