// SPDX-License-Identifier: BSD-3-Clause
#include "library/launcher.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "kernel/numbers/parse.hpp"
#include "library/build_info.hpp"

namespace regroup {
namespace {

/// A variable in which a launcher stores the number of ranks that it starts.
struct SizeVariable {
  const char* name;
  std::string_view launcher;
};

constexpr const char* own_variable = mpi_is_open_mpi ? "OMPI_COMM_WORLD_SIZE" : "PMI_SIZE";

constexpr const char* own_rank_variable = mpi_is_open_mpi ? "OMPI_COMM_WORLD_RANK" : "PMI_RANK";

constexpr std::array size_variables{
    SizeVariable{"OMPI_COMM_WORLD_SIZE", "that of Open MPI"},
    SizeVariable{"PMI_SIZE", "that of MPICH or a relative"},
    SizeVariable{"MV2_COMM_WORLD_SIZE", "that of MVAPICH2"},
    SizeVariable{"FLUX_JOB_SIZE", "flux run"},
    SizeVariable{"SLURM_STEP_NUM_TASKS", "srun"},
};

constexpr std::array rank_variables{own_rank_variable,      "PMI_RANK",       "PMIX_RANK",
                                    "OMPI_COMM_WORLD_RANK", "FLUX_TASK_RANK", "SLURM_PROCID"};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::string complaint_about_launcher(int ranks,
                                     const std::function<std::string(const char*)>& variables) {
  const auto told = [&](const char* name) { return parse<int>(variables(name)).value_or(0); };
  // Variables of other launchers may be inherited, if one of them has started our launcher.
  if (ranks != 1 || told(own_variable) == 1) return {};
  const auto found = std::ranges::find_if(
      size_variables, [&](const SizeVariable& variable) { return told(variable.name) > 1; });
  if (found == size_variables.end()) return {};
  const int number = told(found->name);
  return fmt::format(
      "each of {} ranks runs alone: the launcher is {} ({} is {}) and does not connect ranks of "
      "{}; start them with '{} -n {}'{}",
      number, found->launcher, found->name, number, mpi_library,
      mpi_launcher.substr(0, mpi_launcher.find(' ')), number,
      found->launcher == "srun" ? ", or srun with one of its options --mpi" : "");
}

int rank_by_launcher() {
  for (const char* name : rank_variables) {
    if (const auto rank = parse<int>(variable(name))) return *rank;
  }
  return -1;
}

void check_own_launcher() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::string complaint = complaint_about_launcher(ranks, variable);
  if (!complaint.empty()) throw std::runtime_error(complaint);
}

}  // namespace regroup
