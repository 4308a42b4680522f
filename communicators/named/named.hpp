// SPDX-License-Identifier: BSD-3-Clause
//
// Communicators that a file defines, and a program only names. Source: "externally defined
// communicators", section 3.
#pragma once

#include <mpi.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "communicators/group_comm.hpp"
#include "communicators/handles.hpp"
#include "communicators/members.hpp"
#include "communicators/site.hpp"
#include "communicators/strategies.hpp"
#include "kernel/definitions/defined_groups.hpp"
#include "kernel/definitions/definitions.hpp"

namespace regroup {

/// A name of a file that has been looked up, with the strategy that makes its communicator, for
/// programs that make it often.
class NamedMaker {
 public:
  /// What NamedCommunicators::build says.
  GroupComm operator()(Site& parent) const {
    if (parent_size_ != anybody && parent.size() != parent_size_) refuse(parent.size());
    return make_ != nullptr ? make_(parent, in_parent_, tag_) : GroupComm();
  }

 private:
  friend class NamedCommunicators;
  static constexpr int anybody = -1;

  [[noreturn]] void refuse(int parent_size) const;

  std::string name_;
  MakeCommunicator make_ = nullptr;  // where the caller has to come in
  Members in_parent_;
  int parent_size_ = anybody;
  int tag_ = 0;
};

/// The definitions of a file, for the processes of one communicator.
class NamedCommunicators {
 public:
  /// The environment variable that names a process's processor in place of MPI_Get_processor_name.
  /// For tests only, which have but one.
  static constexpr const char* processor_variable = "REGROUP_PROCESSOR_NAME";

  /// `whole`: whose ranks the definitions' are; borrowed for this call. Collective over it. Throws
  /// UserError on all of its processes, with file and line, where the definitions do not fit them,
  /// or where they have read different files.
  NamedCommunicators(const Definitions& definitions, MPI_Comm whole);
  NamedCommunicators(const NamedCommunicators&) = delete;
  NamedCommunicators& operator=(const NamedCommunicators&) = delete;

  const Definitions& definitions() const { return definitions_; }

  /// The group of that name whose member the caller is: ranks of the whole, in their new order.
  /// Empty where there is none. Local.
  const Members& group(std::string_view name) const;

  /// The communicator of that group; empty for who is in none. `parent`: made by the same
  /// definitions from the parent group, or of the whole. Collective as `strategy` is: over the
  /// members, who alone need to call, or over the parent, whose processes outside come in for
  /// nothing. Throws std::invalid_argument where `parent` is no such, and for members that the
  /// strategy cannot form.
  GroupComm build(std::string_view name, Site& parent, const Strategy& strategy) const;

  /// What makes it as `build` does, as often as it is called, without looking for the name again.
  /// Local. Outlives this object.
  NamedMaker maker(std::string_view name, const Strategy& strategy) const;

  /// The same made by MPI_Comm_create_group from the whole, whatever the parent group is.
  /// Collective over the members.
  CommHandle create(std::string_view name, MPI_Comm whole);

  /// The intercommunicator of that name, seen from the group that the caller is in; empty for who
  /// is in neither. Collective over the members of both.
  CommHandle connect(std::string_view name, MPI_Comm whole);

 private:
  struct Group {
    Members members;
    Members in_parent;
    int parent_size;
    int tag;
  };
  struct Connection {
    std::string own;    // the name of the caller's group
    int remote_leader;  // rank in the whole
    int tag;
  };

  void find_own_groups(int rank, int size);

  const Definitions definitions_;
  const DefinedGroups groups_;
  std::map<std::string, Group, std::less<>> own_;  // of which the caller is a member
  std::map<std::string, Connection, std::less<>> connections_;
  CommunicatorCount made_;
};

}  // namespace regroup
