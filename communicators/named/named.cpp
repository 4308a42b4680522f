// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/named.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "kernel/text/plain_text.hpp"
#include "regroup/communicator.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

/// Throws UserError if processes have read different files, because their calls could deadlock.
void check_same(const Definitions& definitions, MPI_Comm whole) {
  if (same_on_all(definitions.hash(), whole)) return;
  throw UserError(
      fmt::format("{}: processes have read different files of that name", definitions.path()));
}

/// Returns the processor of each rank, or nothing if no definition names a processor. Collective.
std::vector<std::string> processors(const Definitions& definitions, MPI_Comm whole) {
  check_same(definitions, whole);
  if (!definitions.name_processors()) return {};
  std::array<char, MPI_MAX_PROCESSOR_NAME + 1> own{};
  int length = 0;
  MPI_Get_processor_name(own.data(), &length);
  if (const char* instead = std::getenv(NamedCommunicators::processor_variable)) {
    own = {};
    std::string(instead).copy(own.data(), MPI_MAX_PROCESSOR_NAME);
  }
  const auto ranks = static_cast<std::size_t>(size_of(whole));
  std::vector<char> all(ranks * own.size());
  MPI_Allgather(own.data(), static_cast<int>(own.size()), MPI_CHAR, all.data(),
                static_cast<int>(own.size()), MPI_CHAR, whole);
  std::vector<std::string> names;
  names.reserve(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank) names.emplace_back(&all[rank * own.size()]);
  return names;
}

}  // namespace

NamedCommunicators::NamedCommunicators(const Definitions& definitions, MPI_Comm whole)
    : definitions_(definitions),
      groups_(definitions_, size_of(whole), processors(definitions_, whole)) {
  int rank = 0;
  MPI_Comm_rank(whole, &rank);
  find_own_groups(rank, size_of(whole));
}

/// Finds the caller's groups once, so that creating a communicator needs no search.
void NamedCommunicators::find_own_groups(int rank, int size) {
  const auto& communicators = definitions_.communicators();
  for (int place = 0; place < std::ssize(communicators); ++place) {
    const Members& members = groups_.members(place);
    if (members.index_of(rank) < 0) continue;
    const DefinedCommunicator& own = communicators[static_cast<std::size_t>(place)];
    const int first = definitions_.named(own.name).front();
    own_.emplace(own.name,
                 Group{.members = members,
                       .in_parent = groups_.members_in_parent(place),
                       .parent_size = own.parent < 0 ? size : groups_.members(own.parent).size(),
                       .tag = first % (range::Parent::max_tag + 1)});
  }
  for (const DefinedIntercommunicator& joins : definitions_.intercommunicators()) {
    const int tag = static_cast<int>(&joins - definitions_.intercommunicators().data()) %
                    (range::Parent::max_tag + 1);
    for (const auto& [own, other] :
         {std::pair(&joins.first, &joins.second), std::pair(&joins.second, &joins.first)}) {
      if (groups_.members(own->communicator).index_of(rank) < 0) continue;
      connections_.emplace(joins.name,
                           Connection{.own = own->name,
                                      .remote_leader = groups_.members(other->communicator)[0],
                                      .tag = tag});
    }
  }
}

const Members& NamedCommunicators::group(std::string_view name) const {
  static const Members nobody;
  const auto found = own_.find(name);
  return found == own_.end() ? nobody : found->second.members;
}

void NamedMaker::refuse(int parent_size) const {
  throw std::invalid_argument(fmt::format("the parent of {} has {} processes, and not {}", name_,
                                          parent_size_, parent_size));
}

NamedMaker NamedCommunicators::maker(std::string_view name, const Strategy& strategy) const {
  NamedMaker result;
  const auto found = own_.find(name);
  const bool member = found != own_.end();
  if (member || strategy.caller == Caller::parent) result.make_ = regroup::maker(strategy);
  if (!member) return result;
  result.name_ = name;
  result.in_parent_ = found->second.in_parent;
  result.parent_size_ = found->second.parent_size;
  result.tag_ = found->second.tag;
  return result;
}

GroupComm NamedCommunicators::build(std::string_view name, Site& parent,
                                    const Strategy& strategy) const {
  return maker(name, strategy)(parent);
}

CommHandle NamedCommunicators::create(std::string_view name, MPI_Comm whole) {
  const auto found = own_.find(name);
  if (found == own_.end()) return {};
  const GroupHandle group = group_of(whole, found->second.members);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_create_group(whole, group.get(), found->second.tag, &comm);
  return {comm, made_};
}

CommHandle NamedCommunicators::connect(std::string_view name, MPI_Comm whole) {
  const auto found = connections_.find(name);
  if (found == connections_.end()) return {};
  const auto& [own, remote_leader, tag] = found->second;
  const CommHandle local = create(own, whole);
  MPI_Comm inter = MPI_COMM_NULL;
  MPI_Intercomm_create(local.get(), 0, whole, remote_leader, tag, &inter);
  return {inter, made_};
}

}  // namespace regroup
