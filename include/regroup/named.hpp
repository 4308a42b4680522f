// SPDX-License-Identifier: BSD-3-Clause
//
// Communicators that a file defines by name: `Definitions` and `NamedCommunicators`. Programs that
// call only MPI include regroup/mpi.h instead of mpi.h. Link with Regroup::named.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regroup/communicator.hpp"
#include "regroup/groups.hpp"
#include "regroup/strategy.hpp"

namespace regroup {

// The contents of a file of definitions, independent of the processes. Source: "externally defined
// communicators", section 3.2.

/// Members, as written in the file: ranks of all processes, or the processes on processors.
struct DefinedMembers {
  enum class Kind {
    ranks,      ///< top-down: by number
    processor,  ///< bottom-up: by MPI_Get_processor_name
    hosts,      ///< all processors of a list with ranges, in its order: "node[08-10]"
    pattern,    ///< all processors whose whole name matches a regular expression, alphabetically
  };

  Kind kind = Kind::ranks;
  RankRange ranks = {};   ///< if `kind` is ranks
  std::string text = {};  ///< name of a processor, list or pattern
  int which = -1;         ///< index of a process on each of these processors, from 0; -1: all
  int key = 0;            ///< members are sorted by key; equal keys keep their order in the file
  int line = 0;           ///< line in the file, from 1
};

/// One communicator. Several groups may have communicators of the same name.
struct DefinedCommunicator {
  std::string name = {};  ///< an identifier of C
  int color = 0;          ///< 0, 1, … among equal names, in the order of the file
  int parent = -1;        ///< index of an earlier communicator; -1: all processes
  std::vector<DefinedMembers> members = {};
  int line = 0;
};

/// One of the two groups of an intercommunicator.
struct DefinedSide {
  std::string name = {};
  int color = -1;  ///< -1: not given
  int line = 0;
  int communicator = -1;  ///< index of the group's communicator
};

/// An intercommunicator between two communicators of one parent.
struct DefinedIntercommunicator {
  std::string name = {};
  int parent = -1;
  DefinedSide first = {};
  DefinedSide second = {};
  int line = 0;
};

struct ConfigNode;

/// Communicators that a file defines by name: XML as in the paper if the first character of the
/// file is '<', otherwise YAML.
class Definitions {
 public:
  /// Limits for files: their size, and the depth of nested communicators.
  static constexpr std::size_t most_bytes = 4'000'000;
  static constexpr int most_levels = 32;

  /// Reads the file `path`. Throws UserError with file and line if the file or a name (a C
  /// identifier) is invalid, or if an intercommunicator cannot join its groups.
  static Definitions read(const std::string& path);
  /// As read(); `text` is the content of the file `path`.
  static Definitions parse(const std::string& text, const std::string& path);
  /// As read(); `content` is a YAML node of the file `path`.
  static Definitions of(const ConfigNode& content, const std::string& path);

  const std::string& path() const { return path_; }
  /// Hash of the file; 0 for a YAML node.
  std::uint64_t hash() const { return hash_; }
  /// All communicators, each after its parent.
  const std::vector<DefinedCommunicator>& communicators() const { return communicators_; }
  const std::vector<DefinedIntercommunicator>& intercommunicators() const {
    return intercommunicators_;
  }

  /// Indices of the communicators called `name`, by colour; empty if there are none.
  const std::vector<int>& named(std::string_view name) const;
  /// The intercommunicator of that name, or nullptr.
  const DefinedIntercommunicator* intercommunicator(std::string_view name) const;

  /// Whether some members are given by processor names.
  bool name_processors() const;

  /// Throws UserError with the file and `line`.
  [[noreturn]] void fail(int line, const std::string& what) const;

  /// For readers of files: appends a communicator and returns its index.
  int add(DefinedCommunicator communicator);
  void add(DefinedIntercommunicator intercommunicator);

 private:
  Definitions(std::string path, std::uint64_t hash) : path_(std::move(path)), hash_(hash) {}

  void join();
  int joined(const DefinedIntercommunicator& intercommunicator, const DefinedSide& side) const;
  void check_name(const std::string& name, int line) const;

  std::string path_;
  std::uint64_t hash_;
  std::vector<DefinedCommunicator> communicators_;
  std::vector<DefinedIntercommunicator> intercommunicators_;
  std::map<std::string, std::vector<int>, std::less<>> places_;
};

/// Adds the contents of a file to `definitions`, in the order of the file.
void read_yaml(const std::string& text, Definitions& definitions);
void read_yaml(const ConfigNode& content, Definitions& definitions);
void read_xml(const std::string& text, Definitions& definitions);

/// The processes that are members of each communicator of `definitions`, in their order.
class DefinedGroups {
 public:
  /// For `ranks` processes; `processors`: the processor of each, or empty. Throws UserError with
  /// file and line for an unused processor, a missing rank, and a process that is a member twice,
  /// not in the parent, in two groups of equal name, or in both of an intercommunicator.
  DefinedGroups(const Definitions& definitions, int ranks, std::span<const std::string> processors);

  /// The members of the communicator with this index, as ranks of all processes.
  const Members& members(int communicator) const {
    return members_[static_cast<std::size_t>(communicator)];
  }

  /// The members of the communicator with this index, as ranks of its parent.
  Members members_in_parent(int communicator) const;

 private:
  const Definitions* definitions_;
  std::vector<Members> members_;
};

// Source: "externally defined communicators", section 3.

/// The result of NamedCommunicators::maker: creates the communicator of a name with a strategy.
class NamedMaker {
 public:
  /// As NamedCommunicators::build.
  GroupComm operator()(Site& parent) const {
    if (parent_size_ != anybody && parent.size() != parent_size_) refuse(parent.size());
    return make_ != nullptr ? make_(parent, in_parent_, tag_) : GroupComm();
  }

 private:
  friend class NamedCommunicators;
  static constexpr int anybody = -1;

  [[noreturn]] void refuse(int parent_size) const;

  std::string name_;
  MakeCommunicator make_ = nullptr;  // nullptr if the caller need not call it
  Members in_parent_;
  int parent_size_ = anybody;
  int tag_ = 0;
};

/// The definitions of a file, for the processes of one communicator.
class NamedCommunicators {
 public:
  /// Environment variable that replaces MPI_Get_processor_name, for tests on one machine.
  static constexpr const char* processor_variable = "REGROUP_PROCESSOR_NAME";

  /// The definitions refer to ranks of `whole`, borrowed for this call. Collective. Throws
  /// UserError on all its processes if the definitions do not match them or differ among them.
  NamedCommunicators(const Definitions& definitions, MPI_Comm whole);
  NamedCommunicators(const NamedCommunicators&) = delete;
  NamedCommunicators& operator=(const NamedCommunicators&) = delete;

  const Definitions& definitions() const { return definitions_; }

  /// The group called `name` that contains the caller: ranks of the whole communicator, in their
  /// new order. Empty if there is none. Local.
  const Members& group(std::string_view name) const;

  /// Creates the communicator of this group; empty if the caller is in none. `parent`: the parent
  /// group's, or the whole. `strategy` determines who must call. Throws std::invalid_argument if
  /// the size of `parent` is wrong, or if the strategy cannot form the members.
  GroupComm build(std::string_view name, Site& parent, const Strategy& strategy) const;

  /// Looks up the name once; the result then works as `build`, and outlives this object. Local.
  NamedMaker maker(std::string_view name, const Strategy& strategy) const;

  /// As build, but by MPI_Comm_create_group on `whole`, regardless of the parent group. Collective
  /// over the members.
  CommHandle create(std::string_view name, MPI_Comm whole);

  /// Creates the intercommunicator called `name`; empty if the caller is in neither of its groups.
  /// Collective over the members of both groups.
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
  std::map<std::string, Group, std::less<>> own_;  // groups of the caller
  std::map<std::string, Connection, std::less<>> connections_;
  CommunicatorCount made_;
};

}  // namespace regroup
