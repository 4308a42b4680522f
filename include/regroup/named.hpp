// SPDX-License-Identifier: BSD-3-Clause
//
// Communicators that a file defines by name: `Definitions` and `NamedCommunicators`. Programs that
// know nothing of Regroup include regroup/mpi.h instead of mpi.h. Link with Regroup::named.
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

// What a file of definitions says, whatever processes there are. Source: "externally defined
// communicators", section 3.2.

/// Some members, as they are written: ranks of all processes, or the processes on processors.
struct DefinedMembers {
  enum class Kind {
    ranks,      ///< top-down: by number
    processor,  ///< bottom-up: by MPI_Get_processor_name
    hosts,      ///< all processors of a list with ranges, in its order: "node[08-10]"
    pattern,    ///< all processors whose whole name matches a regular expression, alphabetically
  };

  Kind kind = Kind::ranks;
  RankRange ranks = {};   ///< of ranks
  std::string text = {};  ///< of a processor, a list or a pattern
  int which = -1;         ///< of the processes on each such processor, from 0; -1: all of them
  int key = 0;            ///< members are in the order of their keys, those of one key as written
  int line = 0;           ///< of the file, from 1
};

/// One communicator: of equal names, one group.
struct DefinedCommunicator {
  std::string name = {};  ///< an identifier of C
  int color = 0;          ///< 0, 1, … among those of equal name, as they are written
  int parent = -1;        ///< its place in the list, before this one; -1: all processes
  std::vector<DefinedMembers> members = {};
  int line = 0;
};

/// A group that an intercommunicator has.
struct DefinedSide {
  std::string name = {};
  int color = -1;  ///< -1 where none is given
  int line = 0;
  int communicator = -1;  ///< its place in the list
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

/// Communicators that a file defines by name: YAML, or the XML of the paper, as its first character
/// tells.
class Definitions {
 public:
  /// What a file can have at most.
  static constexpr std::size_t most_bytes = 4'000'000;
  static constexpr int most_levels = 32;

  /// Throws UserError with file and line if it is no such file, a name is no identifier of C, or an
  /// intercommunicator joins what it cannot.
  static Definitions read(const std::string& path);
  /// … where `text` is the content of the file `path`.
  static Definitions parse(const std::string& text, const std::string& path);
  /// … where `content`, YAML, stands in another file, the file `path`.
  static Definitions of(const ConfigNode& content, const std::string& path);

  const std::string& path() const { return path_; }
  /// A number that names the content.
  std::uint64_t hash() const { return hash_; }
  /// Every one after its parent.
  const std::vector<DefinedCommunicator>& communicators() const { return communicators_; }
  const std::vector<DefinedIntercommunicator>& intercommunicators() const {
    return intercommunicators_;
  }

  /// The places in the list of the communicators of that name, by colour; empty for nobody's.
  const std::vector<int>& named(std::string_view name) const;
  /// The intercommunicator of that name, or nullptr.
  const DefinedIntercommunicator* intercommunicator(std::string_view name) const;

  /// Whether some members are given by processors.
  bool name_processors() const;

  /// Throws UserError, which names the file and `line`.
  [[noreturn]] void fail(int line, const std::string& what) const;

  /// For readers of files, which add one after the other as they come: gives its place.
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

/// Reads what the file says, in the order of the file.
void read_yaml(const std::string& text, Definitions& definitions);
void read_yaml(const ConfigNode& content, Definitions& definitions);
void read_xml(const std::string& text, Definitions& definitions);

/// Which processes are the members of every communicator of `definitions`, in their order.
class DefinedGroups {
 public:
  /// For `ranks` processes; `processors`: the processor of each, or empty. Throws UserError with
  /// file and line for an unused processor, a missing rank, a member twice or not in the parent,
  /// and one of two groups of equal name or of both sides of an intercommunicator.
  DefinedGroups(const Definitions& definitions, int ranks, std::span<const std::string> processors);

  /// Of the communicator at that place of the list: ranks of all processes.
  const Members& members(int communicator) const {
    return members_[static_cast<std::size_t>(communicator)];
  }

  /// … as ranks in its parent.
  Members members_in_parent(int communicator) const;

 private:
  const Definitions* definitions_;
  std::vector<Members> members_;
};

// Source: "externally defined communicators", section 3.

/// A name that has been looked up, with the strategy that makes its communicator.
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
  /// Replaces MPI_Get_processor_name; for tests on one machine.
  static constexpr const char* processor_variable = "REGROUP_PROCESSOR_NAME";

  /// `whole`: whose ranks the definitions name; borrowed for this call. Collective over it. Throws
  /// UserError on all its processes if the definitions do not fit them or differ among them.
  NamedCommunicators(const Definitions& definitions, MPI_Comm whole);
  NamedCommunicators(const NamedCommunicators&) = delete;
  NamedCommunicators& operator=(const NamedCommunicators&) = delete;

  const Definitions& definitions() const { return definitions_; }

  /// The group of that name whose member the caller is: ranks of the whole, in their new order.
  /// Empty where there is none. Local.
  const Members& group(std::string_view name) const;

  /// The communicator of that group; empty if the caller is in none. `parent`: the parent group's,
  /// or the whole. Collective as `strategy` is. Throws std::invalid_argument for another parent and
  /// for members that the strategy cannot form.
  GroupComm build(std::string_view name, Site& parent, const Strategy& strategy) const;

  /// Makes it as `build` does, without looking for the name again. Local. Outlives this object.
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
