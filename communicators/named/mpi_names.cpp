// SPDX-License-Identifier: BSD-3-Clause
//
// The functions by which include/regroup/mpi.h replaces MPI functions. The first call with a name
// creates the communicator of that name, group-collectively. Source: "externally defined
// communicators", section 3.3.
#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "kernel/text/plain_text.hpp"
#include "regroup/named.hpp"

extern "C" {
int regroup_mpi_init(int* argc, char*** argv);
int regroup_mpi_init_thread(int* argc, char*** argv, int required, int* provided);
int regroup_comm_rank(MPI_Comm* comm, int* rank, const char* name);
int regroup_comm_size(MPI_Comm* comm, int* size, const char* name);
int regroup_comm_test_inter(MPI_Comm* comm, int* flag, const char* name);
}

namespace regroup {
namespace {

constexpr const char* file_variable = "REGROUP_COMMUNICATORS";

/// The named communicators of a process. Never destroyed: MPI, which owns their contents, ends
/// before the program.
class Names {
 public:
  static Names& of_this_process() {
    static Names* const names = new Names;
    return *names;
  }

  /// Reads the file, if any. Collective over MPI_COMM_WORLD. Does not return if the file is wrong.
  void read() {
    const char* file = std::getenv(file_variable);
    int given = file != nullptr ? 1 : 0;
    int given_to_all = 0;
    MPI_Allreduce(&given, &given_to_all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (given_to_all == 0) return;
    std::string wrong;
    std::optional<Definitions> definitions;
    try {
      if (file == nullptr) throw UserError(fmt::format("{} is not set everywhere", file_variable));
      definitions = Definitions::read(file);
    } catch (const UserError& error) {
      wrong = error.what();
    }
    end_if_wrong(wrong);
    try {
      communicators_ = std::make_unique<NamedCommunicators>(*definitions, MPI_COMM_WORLD);
    } catch (const UserError& error) {
      wrong = error.what();
    }
    end_if_wrong(wrong);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval_, nullptr);
  }

  /// Returns the communicator of that name, and creates it at the first call. Returns MPI_COMM_NULL
  /// if the caller is not a member.
  MPI_Comm communicator(const std::string& name) {
    if (!communicators_) return MPI_COMM_NULL;
    if (const auto found = built_.find(name); found != built_.end()) return found->second;
    const bool joins = communicators_->definitions().intercommunicator(name) != nullptr;
    const MPI_Comm comm = (joins ? communicators_->connect(name, MPI_COMM_WORLD)
                                 : communicators_->create(name, MPI_COMM_WORLD))
                              .release();
    if (comm == MPI_COMM_NULL) return comm;
    const auto [place, added] = built_.emplace(name, comm);
    MPI_Comm_set_attr(comm, keyval_, const_cast<std::string*>(&place->first));
    return comm;
  }

 private:
  /// If any process has found an error, the first of them prints it, and all processes exit.
  static void end_if_wrong(const std::string& wrong) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int own = wrong.empty() ? size : rank;
    int first = 0;
    MPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == size) return;
    if (first == rank) std::fputs(fmt::format("{}\n", wrong).c_str(), stderr);
    MPI_Finalize();
    std::exit(2);
  }

  /// MPI calls this when the program frees a communicator, which may then be created again.
  static int forget(MPI_Comm, int, void* name, void*) {
    of_this_process().built_.erase(*static_cast<const std::string*>(name));
    return MPI_SUCCESS;
  }

  std::unique_ptr<NamedCommunicators> communicators_;
  std::map<std::string, MPI_Comm> built_;  // owned by the program
  int keyval_ = MPI_KEYVAL_INVALID;
};

void build(MPI_Comm* comm, const char* name) {
  if (*comm == MPI_COMM_NULL) *comm = Names::of_this_process().communicator(name);
}

}  // namespace
}  // namespace regroup

int regroup_mpi_init(int* argc, char*** argv) {
  const int code = MPI_Init(argc, argv);
  if (code == MPI_SUCCESS) regroup::Names::of_this_process().read();
  return code;
}

int regroup_mpi_init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = MPI_Init_thread(argc, argv, required, provided);
  if (code == MPI_SUCCESS) regroup::Names::of_this_process().read();
  return code;
}

int regroup_comm_rank(MPI_Comm* comm, int* rank, const char* name) {
  regroup::build(comm, name);
  return MPI_Comm_rank(*comm, rank);
}

int regroup_comm_size(MPI_Comm* comm, int* size, const char* name) {
  regroup::build(comm, name);
  return MPI_Comm_size(*comm, size);
}

int regroup_comm_test_inter(MPI_Comm* comm, int* flag, const char* name) {
  regroup::build(comm, name);
  return MPI_Comm_test_inter(*comm, flag);
}
