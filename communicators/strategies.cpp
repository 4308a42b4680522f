// SPDX-License-Identifier: BSD-3-Clause
//
// The communicator strategies: each a function, and a row of the table at the end. A strategy whose
// calls the MPI library lacks has a row without a function.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "communicators/constructors.hpp"
#include "regroup/communicator.hpp"
#include "regroup/strategy.hpp"

namespace regroup {

#if REGROUP_HAS_create_from_group
/// Closed before MPI_Finalize: with MPICH 4.0 a session that is open then, or that an attribute's
/// callback closes, makes some processes leave too early, which ends the others.
class Session {
 public:
  Session() {
    range::throw_on_error(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &handle_));
    range::throw_on_error(MPI_Group_from_session_pset(handle_, "mpi://WORLD", &world_));
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    MPI_Group_free(&world_);
    MPI_Session_finalize(&handle_);
  }
  MPI_Group world() const { return world_; }

 private:
  MPI_Session handle_ = MPI_SESSION_NULL;
  MPI_Group world_ = MPI_GROUP_NULL;
};
#else
class Session {};
#endif

namespace {

/// A hint for MPI: a key and its value.
struct MpiHint {
  const char* key;
  const char* value;
};

/// What the copies of the strategies `*_with_info` are given: assertions that MPI reserves
/// (MPI 4.1, section 7.4.4). They hold for who receives from ranks, and with tags, that it names,
/// and as much as was sent.
inline constexpr MpiHint copy_hints[] = {
    {"mpi_assert_no_any_tag", "true"},
    {"mpi_assert_no_any_source", "true"},
    {"mpi_assert_exact_length", "true"},
    {"mpi_assert_allow_overtaking", "false"},
};

/// Owns an info object with these hints.
class InfoHandle {
 public:
  explicit InfoHandle(std::span<const MpiHint> hints) {
    MPI_Info_create(&info_);
    for (const MpiHint& hint : hints) MPI_Info_set(info_, hint.key, hint.value);
  }
  InfoHandle(const InfoHandle&) = delete;
  InfoHandle& operator=(const InfoHandle&) = delete;
  ~InfoHandle() { MPI_Info_free(&info_); }
  MPI_Info get() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

/// MPI_Comm_split_type of `parent` by a split type that takes a word, and the one word that MPI
/// reserves, mpi_shared_memory: the ranks that can share memory, or nobody where the library does
/// not know the word. Source: MPI 4.1, section 7.4.2.
inline GroupComm split_by_word(Site& parent, int split_type) {
  constexpr MpiHint shared[] = {{"mpi_hw_resource_type", "mpi_shared_memory"}};
  const InfoHandle info(shared);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split_type(parent.comm(), split_type, parent.rank(), info.get(), &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

#if REGROUP_HAS_create_from_group
/// The group of `members`, which are ranks of `parent`, taken from the process set mpi://WORLD of
/// a session. The first call opens the session, and it lives as long as the parent.
GroupHandle session_group(Site& parent, const Members& members) {
  if (!parent.session()) parent.session() = std::make_shared<Session>();
  const MPI_Group world = parent.session()->world();
  std::vector<int> ranks;
  for (int place = 0; place < members.size(); ++place) ranks.push_back(members[place]);
  int same = MPI_UNEQUAL;
  MPI_Comm_compare(parent.comm(), MPI_COMM_WORLD, &same);
  if (same != MPI_IDENT && same != MPI_CONGRUENT) {
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Comm_group(parent.comm(), &all);
    const GroupHandle owner(all);
    std::vector<int> in_world(ranks.size());
    MPI_Group_translate_ranks(all, members.size(), ranks.data(), world, in_world.data());
    ranks = in_world;
  }
  return subgroup(world, Members::list(std::move(ranks)));
}

/// `tag` as the text that tells creations from groups apart.
std::string string_tag(int tag) { return fmt::format("org.regroup.{}", tag); }

/// The error handler of the parent's communicator, for calls that know no communicator.
class ParentsErrors {
 public:
  explicit ParentsErrors(const Site& parent) { MPI_Comm_get_errhandler(parent.comm(), &handler_); }
  ParentsErrors(const ParentsErrors&) = delete;
  ParentsErrors& operator=(const ParentsErrors&) = delete;
  ~ParentsErrors() { MPI_Errhandler_free(&handler_); }
  MPI_Errhandler handler() const { return handler_; }

 private:
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};
#endif

}  // namespace

namespace constructor {
namespace {

// comm_create: MPI_Comm_create over the whole parent; each rank names the group that it joins, and
// groups of one call are disjoint. Parent-collective. Source: MPI 4.1, section 7.4.2.
GroupComm comm_create(Site& parent, const Members& members, int) {
  const GroupHandle group = group_of(parent.comm(), members);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_create(parent.comm(), group.get(), &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

// comm_split: MPI_Comm_split over the whole parent. The colour is the group's first member, the key
// the place among the members. A caller that is none of them joins nobody. Parent-collective.
// Source: MPI 4.1, section 7.4.2.
GroupComm comm_split(Site& parent, const Members& members, int) {
  const int key = members.index_of(parent.rank());
  const int colour = key < 0 ? MPI_UNDEFINED : members[0];
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(parent.comm(), colour, key, &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

// create_group: MPI_Comm_create_group, the call that MPI 3 made of the paper's idea.
// Group-collective. Source: MPI 4.1, section 7.4.2.
GroupComm create_group(Site& parent, const Members& members, int tag) {
  if (!joins(parent, members)) return {};
  const GroupHandle group = group_of(parent.comm(), members);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_create_group(parent.comm(), group.get(), tag, &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

#if REGROUP_HAS_create_from_group
// create_from_group: MPI_Comm_create_from_group. The members are named by the process set
// mpi://WORLD of a session; no communicator takes part. Group-collective.
// Source: MPI 4.1, section 7.4.2.

/// MPICH 4.0 calls it a success when no context is left, and gives no communicator.
void report_missing(const Site& parent) {
  int kind = 0;
  int code = 0;
  MPI_Add_error_class(&kind);
  MPI_Add_error_code(kind, &code);
  MPI_Add_error_string(
      code,
      "MPI_Comm_create_from_group gave no communicator: probably there are too many "
      "communicators");
  MPI_Comm_call_errhandler(parent.comm(), code);
}

GroupComm create_from_group(Site& parent, const Members& members, int tag) {
  if (!joins(parent, members)) return {};
  const GroupHandle group = session_group(parent, members);
  MPI_Comm comm = MPI_COMM_NULL;
  const ParentsErrors errors(parent);
  const int code = MPI_Comm_create_from_group(group.get(), string_tag(tag).c_str(), MPI_INFO_NULL,
                                              errors.handler(), &comm);
  if (code == MPI_SUCCESS && comm == MPI_COMM_NULL) report_missing(parent);
  return GroupComm(CommHandle(comm, parent.communicators()));
}
#endif

#if REGROUP_HAS_intercomm_create_from_groups
// intercomm_create_from_groups: the two halves of the members form an intercommunicator by
// MPI_Intercomm_create_from_groups, from a session, and MPI_Intercomm_merge joins them. One member
// alone has no other half: then create_from_group. Group-collective. With MPICH 4.0, members that
// have no context left crash here.
// Source: MPI 4.1, section 7.6.2.

Members part(const Members& members, int begin, int end) {
  std::vector<int> ranks;
  for (int place = begin; place < end; ++place) ranks.push_back(members[place]);
  return Members::list(std::move(ranks));
}

GroupComm intercomm_create_from_groups(Site& parent, const Members& members, int tag) {
  if (!joins(parent, members)) return {};
  if (members.size() == 1) return create_from_group(parent, members, tag);
  const int half = (members.size() + 1) / 2;
  const bool high = members.index_of(parent.rank()) >= half;
  const GroupHandle low_half = session_group(parent, part(members, 0, half));
  const GroupHandle high_half = session_group(parent, part(members, half, members.size()));
  const ParentsErrors errors(parent);
  MPI_Comm between = MPI_COMM_NULL;
  MPI_Intercomm_create_from_groups(
      high ? high_half.get() : low_half.get(), 0, high ? low_half.get() : high_half.get(), 0,
      string_tag(tag).c_str(), MPI_INFO_NULL, errors.handler(), &between);
  const CommHandle intercomm(between, parent.communicators());
  MPI_Comm merged = MPI_COMM_NULL;
  MPI_Intercomm_merge(intercomm.get(), high ? 1 : 0, &merged);
  return GroupComm(CommHandle(merged, parent.communicators()));
}
#endif

// icreate_group: our nonblocking creation after the proposal in section VI of the RBC paper, waited

// for: a range of the parent is there at once, any other group when its members have agreed on a
// channel. Whoever calls strategies has one operation of a group under way at a time, in the same
// order on all its processes, so that ranges may share channels. Group-collective. Source: see
// range/creation.hpp.
GroupComm icreate_group(Site& parent, const Members& members, int tag) {
  if (!joins(parent, members)) return {};
  if (members.is_range()) {
    const int last = members[members.size() - 1];
    return GroupComm(icreate_group(parent.all(), members[0], last, members.stride(), tag,
                                   range::Isolation::by_tags));
  }
  std::vector<int> ranks;
  for (int place = 0; place < members.size(); ++place) ranks.push_back(members[place]);
  range::GroupCreation creation = icreate_group(parent.all(), ranks, tag);
  creation.wait();
  return GroupComm(std::move(creation));
}

// range: a range communicator, first, first + stride, … of the parent, made by each member for
// itself in constant time. No communication, no MPI communicator. Group-collective only in that
// nobody else need know. Source: Axtmann, Wiebigke, Sanders, Lightweight MPI Communicators with
// Applications to Perfectly Balanced Quicksort, IPDPS 2018 (RBC).
GroupComm range(Site& parent, const Members& members, int) {
  if (!members.is_range()) throw std::invalid_argument("the members are no range of the parent");
  if (!joins(parent, members)) return {};
  const int last = members[members.size() - 1];
  return GroupComm(parent.all().range(members[0], last, members.stride()));
}

// dup: MPI_Comm_dup, a copy of the parent with its attributes and hints. Parent-collective.
// Source: MPI 4.1, section 7.4.2.
GroupComm dup(Site& parent, const Members&, int) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(parent.comm(), &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

// dup_with_info: MPI_Comm_dup_with_info, a copy of the parent with the hints given; here
// copy_hints. Parent-collective. Source: MPI 4.1, section 7.4.2.
GroupComm dup_with_info(Site& parent, const Members&, int) {
  const InfoHandle hints(copy_hints);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup_with_info(parent.comm(), hints.get(), &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

#if REGROUP_HAS_idup
// idup: MPI_Comm_idup, a copy of the parent, nonblocking; here waited for at once.
// Parent-collective. Source: MPI 4.1, section 7.4.2.
GroupComm idup(Site& parent, const Members&, int) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_idup(parent.comm(), &comm, &request);
  // What MPICH gives where it fails for want of a context is not to be used, nor freed.
  if (parent.waiter().wait(request) != MPI_SUCCESS) return {};
  return GroupComm(CommHandle(comm, parent.communicators()));
}
#endif

#if REGROUP_HAS_idup_with_info
// idup_with_info: MPI_Comm_idup_with_info, a copy of the parent with the hints given, here
// copy_hints; nonblocking, here waited for at once. Parent-collective. Source: MPI 4.1,
// section 7.4.2.
GroupComm idup_with_info(Site& parent, const Members&, int) {
  const InfoHandle hints(copy_hints);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_idup_with_info(parent.comm(), hints.get(), &comm, &request);
  // What MPICH gives where it fails for want of a context is not to be used, nor freed.
  if (parent.waiter().wait(request) != MPI_SUCCESS) return {};
  return GroupComm(CommHandle(comm, parent.communicators()));
}
#endif

// split_type_shared: MPI_Comm_split_type with MPI_COMM_TYPE_SHARED, the ranks that can share
// memory. The members are whom the machine puts together. Parent-collective. Source: MPI 4.1,
// section 7.4.2.
GroupComm split_type_shared(Site& parent, const Members&, int) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split_type(parent.comm(), MPI_COMM_TYPE_SHARED, parent.rank(), MPI_INFO_NULL, &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

#if REGROUP_HAS_split_type_hw_unguided
// split_type_hw_unguided: MPI_Comm_split_type with MPI_COMM_TYPE_HW_UNGUIDED, the ranks in the next
// smaller part of the machine; nobody where there is none. Parent-collective.
// Source: MPI 4.1, section 7.4.2.
GroupComm split_type_hw_unguided(Site& parent, const Members&, int) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split_type(parent.comm(), MPI_COMM_TYPE_HW_UNGUIDED, parent.rank(), MPI_INFO_NULL,
                      &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}
#endif

#if REGROUP_HAS_split_type_hw_guided
// split_type_hw_guided: MPI_Comm_split_type with MPI_COMM_TYPE_HW_GUIDED, by a word
// (split_by_word.hpp). Parent-collective. Source: MPI 4.1, section 7.4.2.
GroupComm split_type_hw_guided(Site& parent, const Members&, int) {
  return split_by_word(parent, MPI_COMM_TYPE_HW_GUIDED);
}
#endif

#if REGROUP_HAS_split_type_resource_guided
// split_type_resource_guided: MPI_Comm_split_type with MPI_COMM_TYPE_RESOURCE_GUIDED, by a word
// (split_by_word.hpp). Parent-collective. Source: MPI 4.1, section 7.4.2.
GroupComm split_type_resource_guided(Site& parent, const Members&, int) {
  return split_by_word(parent, MPI_COMM_TYPE_RESOURCE_GUIDED);
}
#endif

}  // namespace
}  // namespace constructor

namespace {

const std::array rows{
    Strategy{.name = "comm_create",
             .help = "MPI_Comm_create: all ranks of the parent, each naming its own group",
             .caller = Caller::parent,
             .growth = Growth::log_parent,
             .make = constructor::comm_create},
    Strategy{.name = "comm_split",
             .help = "MPI_Comm_split: all ranks of the parent, by colour and key",
             .caller = Caller::parent,
             .growth = Growth::log_parent,
             .make = constructor::comm_split},
    Strategy{.name = "create_group",
             .help = "MPI_Comm_create_group (MPI 3): the members only",
             .make = constructor::create_group},
    Strategy{
        .name = "intercomm_merge",
        .help = "the paper's Algorithm 1: intercommunicators, merged in log2 rounds by the members",
        .growth = Growth::log_squared_members,
        .smpi = false,
        .make = constructor::intercomm_merge},
    Strategy{.name = "multicommunicator",
             .help = "the paper's proposal: many groups at once, flattened into an "
                     "intercommunicator and merged: three steps by the members",
             .trees = 3,
             .smpi = false,
             .make = constructor::multicommunicator},
    Strategy{
        .name = "create_from_group",
        .help = "MPI_Comm_create_from_group (MPI 4): the members only, from a session, no parent",
        .smpi = false,
#if REGROUP_HAS_create_from_group
        .make = constructor::create_from_group,
#endif
    },
    Strategy{
        .name = "intercomm_create_from_groups",
        .help = "MPI_Intercomm_create_from_groups (MPI 4): between two halves, then merged",
        .smpi = false,
#if REGROUP_HAS_intercomm_create_from_groups
        .make = constructor::intercomm_create_from_groups,
#endif
    },
    Strategy{.name = "range",
             .help = "our range communicator: no communication and no MPI communicator",
             .forms = Forms::ranges,
             .growth = Growth::none,
             .make = constructor::range},
    Strategy{.name = "icreate_group",
             .help = "our nonblocking creation: a range at once, other groups by an agreement",
             .growth = Growth::none,
             .make = constructor::icreate_group},
    Strategy{.name = "dup",
             .help = "MPI_Comm_dup: a copy of the parent",
             .caller = Caller::parent,
             .forms = Forms::whole,
             .growth = Growth::log_parent,
             .make = constructor::dup},
    Strategy{.name = "dup_with_info",
             .help = "MPI_Comm_dup_with_info: a copy of the parent, with hints of MPI",
             .caller = Caller::parent,
             .forms = Forms::whole,
             .growth = Growth::log_parent,
             .make = constructor::dup_with_info},
    Strategy{
        .name = "idup",
        .help = "MPI_Comm_idup: a copy of the parent, nonblocking",
        .caller = Caller::parent,
        .forms = Forms::whole,
        .growth = Growth::log_parent,
        .smpi = false,
#if REGROUP_HAS_idup
        .make = constructor::idup,
#endif
    },
    Strategy{
        .name = "idup_with_info",
        .help = "MPI_Comm_idup_with_info (MPI 4): a copy of the parent, nonblocking, with hints",
        .caller = Caller::parent,
        .forms = Forms::whole,
        .growth = Growth::log_parent,
        .smpi = false,
#if REGROUP_HAS_idup_with_info
        .make = constructor::idup_with_info,
#endif
    },
    Strategy{.name = "split_type_shared",
             .help = "MPI_Comm_split_type, MPI_COMM_TYPE_SHARED: the ranks that share memory",
             .caller = Caller::parent,
             .forms = Forms::shared,
             .growth = Growth::log_parent,
             .make = constructor::split_type_shared},
    Strategy{
        .name = "split_type_hw_unguided",
        .help = "MPI_Comm_split_type, MPI_COMM_TYPE_HW_UNGUIDED (MPI 4): the next smaller "
                "part of the machine",
        .caller = Caller::parent,
        .forms = Forms::shared,
        .growth = Growth::log_parent,
        .smpi = false,
#if REGROUP_HAS_split_type_hw_unguided
        .make = constructor::split_type_hw_unguided,
#endif
    },
    Strategy{
        .name = "split_type_hw_guided",
        .help = "MPI_Comm_split_type, MPI_COMM_TYPE_HW_GUIDED (MPI 4): by a word, the ranks "
                "that share memory",
        .caller = Caller::parent,
        .forms = Forms::shared,
        .growth = Growth::log_parent,
        .smpi = false,
#if REGROUP_HAS_split_type_hw_guided
        .make = constructor::split_type_hw_guided,
#endif
    },
    Strategy{
        .name = "split_type_resource_guided",
        .help = "MPI_Comm_split_type, MPI_COMM_TYPE_RESOURCE_GUIDED (MPI 4.1): by the same "
                "word",
        .caller = Caller::parent,
        .forms = Forms::shared,
        .growth = Growth::log_parent,
        .smpi = false,
#if REGROUP_HAS_split_type_resource_guided
        .make = constructor::split_type_resource_guided,
#endif
    },
};

}  // namespace

std::span<const Strategy> strategies() { return rows; }

MakeCommunicator maker(const Strategy& strategy) {
  if (strategy.make != nullptr) return strategy.make;
  throw std::invalid_argument(fmt::format("the MPI library lacks what {} calls", strategy.name));
}

}  // namespace regroup
