// SPDX-License-Identifier: BSD-3-Clause
//
// The communicator strategies: each a function, and a row of the table at the end, which says who
// must call it. A strategy whose calls the MPI library lacks has a row without a function.
// Source, unless stated otherwise: MPI 4.1, section 7.4.2.
#include <fmt/format.h>

#include <array>
#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
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

namespace constructor {
namespace {

/// Owns an info object with these hints: keys and values.
class InfoHandle {
 public:
  explicit InfoHandle(std::initializer_list<std::pair<const char*, const char*>> hints) {
    MPI_Info_create(&info_);
    for (const auto& [key, value] : hints) MPI_Info_set(info_, key, value);
  }
  InfoHandle(const InfoHandle&) = delete;
  InfoHandle& operator=(const InfoHandle&) = delete;
  ~InfoHandle() { MPI_Info_free(&info_); }
  MPI_Info get() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

/// The communicator that `call` creates at the address that it is given.
template <class Call>
GroupComm created(Site& parent, Call call) {
  MPI_Comm comm = MPI_COMM_NULL;
  call(&comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

// Each rank names the group that it joins; groups of one call are disjoint.
GroupComm comm_create(Site& parent, const Members& members, int) {
  const GroupHandle group = group_of(parent.comm(), members);
  return created(parent,
                 [&](MPI_Comm* comm) { MPI_Comm_create(parent.comm(), group.get(), comm); });
}

// The colour is the group's first member, the key the index among the members.
GroupComm comm_split(Site& parent, const Members& members, int) {
  const int key = members.index_of(parent.rank());
  const int colour = key < 0 ? MPI_UNDEFINED : members[0];
  return created(parent, [&](MPI_Comm* comm) { MPI_Comm_split(parent.comm(), colour, key, comm); });
}

// create_group: MPI_Comm_create_group, the call that MPI 3 made of the paper's idea.
GroupComm create_group(Site& parent, const Members& members, int tag) {
  if (!joins(parent, members)) return {};
  const GroupHandle group = group_of(parent.comm(), members);
  return created(parent, [&](MPI_Comm* comm) {
    MPI_Comm_create_group(parent.comm(), group.get(), tag, comm);
  });
}

#if REGROUP_HAS_create_from_group
/// The group of `ranks` of `parent`, taken from the process set mpi://WORLD of a session. The first
/// call opens the session, and it lives as long as the parent.
GroupHandle session_group(Site& parent, std::vector<int> ranks) {
  if (!parent.session()) parent.session() = std::make_shared<Session>();
  const MPI_Group world = parent.session()->world();
  int same = MPI_UNEQUAL;
  MPI_Comm_compare(parent.comm(), MPI_COMM_WORLD, &same);
  if (same != MPI_IDENT && same != MPI_CONGRUENT) {
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Comm_group(parent.comm(), &all);
    const GroupHandle owner(all);
    std::vector<int> in_world(ranks.size());
    MPI_Group_translate_ranks(all, static_cast<int>(ranks.size()), ranks.data(), world,
                              in_world.data());
    ranks = in_world;
  }
  return subgroup(world, Members::list(std::move(ranks)));
}

/// `tag` as the text that tells creations from groups apart.
std::string string_tag(int tag) { return fmt::format("org.regroup.{}", tag); }

/// The error handler of the parent's communicator, for calls that know no communicator.
class ParentErrorHandler {
 public:
  explicit ParentErrorHandler(const Site& parent) {
    MPI_Comm_get_errhandler(parent.comm(), &handler_);
  }
  ParentErrorHandler(const ParentErrorHandler&) = delete;
  ParentErrorHandler& operator=(const ParentErrorHandler&) = delete;
  ~ParentErrorHandler() { MPI_Errhandler_free(&handler_); }
  MPI_Errhandler get() const { return handler_; }

 private:
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

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

// The members are named by a session; no communicator takes part.
GroupComm create_from_group(Site& parent, const Members& members, int tag) {
  if (!joins(parent, members)) return {};
  const GroupHandle group = session_group(parent, members.ranks());
  const ParentErrorHandler errors(parent);
  return created(parent, [&](MPI_Comm* comm) {
    const int code = MPI_Comm_create_from_group(group.get(), string_tag(tag).c_str(), MPI_INFO_NULL,
                                                errors.get(), comm);
    if (code == MPI_SUCCESS && *comm == MPI_COMM_NULL) report_missing(parent);
  });
}
#else
constexpr MakeCommunicator create_from_group = nullptr;
#endif

#if REGROUP_HAS_intercomm_create_from_groups
// The two halves of the members form an intercommunicator, from a session, and MPI_Intercomm_merge
// joins them. One member alone has no other half: then create_from_group. With MPICH 4.0, members
// that have no context left crash here. Source: MPI 4.1, section 7.6.2.
GroupComm intercomm_create_from_groups(Site& parent, const Members& members, int tag) {
  if (!joins(parent, members)) return {};
  if (members.size() == 1) return create_from_group(parent, members, tag);
  const int half = (members.size() + 1) / 2;
  const bool high = members.index_of(parent.rank()) >= half;
  const std::vector<int> ranks = members.ranks();
  const GroupHandle low_half = session_group(parent, {ranks.begin(), ranks.begin() + half});
  const GroupHandle high_half = session_group(parent, {ranks.begin() + half, ranks.end()});
  const ParentErrorHandler errors(parent);
  MPI_Comm between = MPI_COMM_NULL;
  MPI_Intercomm_create_from_groups(high ? high_half.get() : low_half.get(), 0,
                                   high ? low_half.get() : high_half.get(), 0,
                                   string_tag(tag).c_str(), MPI_INFO_NULL, errors.get(), &between);
  const CommHandle intercomm(between, parent.communicators());
  return created(parent,
                 [&](MPI_Comm* comm) { MPI_Intercomm_merge(intercomm.get(), high ? 1 : 0, comm); });
}
#else
constexpr MakeCommunicator intercomm_create_from_groups = nullptr;
#endif

// Our nonblocking creation after the proposal in section VI of the RBC paper (range/creation.hpp),
// waited for. Whoever calls strategies has one operation of a group under way at a time, in the
// same order on all its processes, so that ranges may share channels.
GroupComm icreate_group(Site& parent, const Members& members, int tag) {
  if (!joins(parent, members)) return {};
  if (members.is_range()) {
    const int last = members[members.size() - 1];
    return GroupComm(icreate_group(parent.all(), members[0], last, members.stride(), tag,
                                   range::Isolation::by_tags));
  }
  range::GroupCreation creation = icreate_group(parent.all(), members.ranks(), tag);
  creation.wait();
  return GroupComm(std::move(creation));
}

// Made by each member for itself, in constant time if the members are a range; nobody else need
// know. Source: Axtmann, Wiebigke, Sanders, Lightweight MPI Communicators with Applications to
// Perfectly Balanced Quicksort, IPDPS 2018 (RBC).
GroupComm range(Site& parent, const Members& members, int) {
  if (!joins(parent, members)) return {};
  const range::Comm all = parent.all();
  if (!members.is_range()) return GroupComm(all.subset(members.ranks()));
  return GroupComm(all.range(members[0], members[members.size() - 1], members.stride()));
}

GroupComm dup(Site& parent, const Members&, int) {
  return created(parent, [&](MPI_Comm* comm) { MPI_Comm_dup(parent.comm(), comm); });
}

/// The hints of copies with info: assertions that MPI reserves (MPI 4.1, section 7.4.4). They hold
/// for those who receive from ranks, and with tags, that they name, and exactly as much as was
/// sent.
InfoHandle copy_hints() {
  return InfoHandle({{"mpi_assert_no_any_tag", "true"},
                     {"mpi_assert_no_any_source", "true"},
                     {"mpi_assert_exact_length", "true"},
                     {"mpi_assert_allow_overtaking", "false"}});
}

GroupComm dup_with_info(Site& parent, const Members&, int) {
  const InfoHandle hints = copy_hints();
  return created(parent,
                 [&](MPI_Comm* comm) { MPI_Comm_dup_with_info(parent.comm(), hints.get(), comm); });
}

/// The copy that `call` starts to create, waited for at once.
template <class Call>
GroupComm copied(Site& parent, Call call) {
  return created(parent, [&](MPI_Comm* comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    call(comm, &request);
    // What MPICH gives where it fails for want of a context is not to be used, nor freed.
    if (parent.waiter().wait(request) != MPI_SUCCESS) *comm = MPI_COMM_NULL;
  });
}

#if REGROUP_HAS_idup
GroupComm idup(Site& parent, const Members&, int) {
  return copied(parent, [&](MPI_Comm* comm, MPI_Request* request) {
    MPI_Comm_idup(parent.comm(), comm, request);
  });
}
#else
constexpr MakeCommunicator idup = nullptr;
#endif

#if REGROUP_HAS_idup_with_info
GroupComm idup_with_info(Site& parent, const Members&, int) {
  const InfoHandle hints = copy_hints();
  return copied(parent, [&](MPI_Comm* comm, MPI_Request* request) {
    MPI_Comm_idup_with_info(parent.comm(), hints.get(), comm, request);
  });
}
#else
constexpr MakeCommunicator idup_with_info = nullptr;
#endif

/// The machine determines the members.
GroupComm split(Site& parent, int split_type, MPI_Info info) {
  return created(parent, [&](MPI_Comm* comm) {
    MPI_Comm_split_type(parent.comm(), split_type, parent.rank(), info, comm);
  });
}
template <int split_type>
GroupComm split_by_type(Site& parent, const Members&, int) {
  return split(parent, split_type, MPI_INFO_NULL);
}
/// By the one word that MPI reserves, mpi_shared_memory; nobody joins where the library does not
/// know it.
template <int split_type>
GroupComm split_by_word(Site& parent, const Members&, int) {
  const InfoHandle shared({{"mpi_hw_resource_type", "mpi_shared_memory"}});
  return split(parent, split_type, shared.get());
}

constexpr MakeCommunicator split_type_shared = split_by_type<MPI_COMM_TYPE_SHARED>;
#if REGROUP_HAS_split_type_hw_unguided
constexpr MakeCommunicator split_type_hw_unguided = split_by_type<MPI_COMM_TYPE_HW_UNGUIDED>;
#else
constexpr MakeCommunicator split_type_hw_unguided = nullptr;
#endif
#if REGROUP_HAS_split_type_hw_guided
constexpr MakeCommunicator split_type_hw_guided = split_by_word<MPI_COMM_TYPE_HW_GUIDED>;
#else
constexpr MakeCommunicator split_type_hw_guided = nullptr;
#endif
#if REGROUP_HAS_split_type_resource_guided
constexpr MakeCommunicator split_type_resource_guided =
    split_by_word<MPI_COMM_TYPE_RESOURCE_GUIDED>;
#else
constexpr MakeCommunicator split_type_resource_guided = nullptr;
#endif

/// A row of a strategy that all ranks of the parent call.
constexpr Strategy by_all(std::string_view name, std::string_view help, MakeCommunicator make,
                          Forms forms = Forms::any, bool smpi = true) {
  return {name, help, Caller::parent, forms, Growth::log_parent, 1, smpi, make};
}

constexpr bool no_smpi = false;

const std::array rows{
    by_all("comm_create", "MPI_Comm_create, called by each rank with its own group", comm_create),
    by_all("comm_split", "MPI_Comm_split, called with colour and key", comm_split),
    Strategy{.name = "create_group",
             .help = "MPI_Comm_create_group (MPI 3)",
             .make = constructor::create_group},
    Strategy{.name = "intercomm_merge",
             .help = "Algorithm 1 of Dinan et al. (EuroMPI 2011), which creates and merges "
                     "intercommunicators in log2(group size) rounds",
             .growth = Growth::log_squared_members,
             .smpi = no_smpi,
             .make = intercomm_merge},
    Strategy{.name = "multicommunicator",
             .help = "prototype of an extension of MPI that Dinan et al. (EuroMPI 2011) propose. "
                     "It creates an intercommunicator of more than two groups and converts it to "
                     "an intracommunicator, in three steps.",
             .trees = 3,
             .smpi = no_smpi,
             .make = multicommunicator},
    Strategy{
        .name = "create_from_group",
        .help = "MPI_Comm_create_from_group (MPI 4), with a group of a session instead of a parent",
        .smpi = no_smpi,
        .make = create_from_group},
    Strategy{.name = "intercomm_create_from_groups",
             .help = "MPI_Intercomm_create_from_groups (MPI 4) for the two halves of the group, "
                     "then MPI_Intercomm_merge",
             .smpi = no_smpi,
             .make = intercomm_create_from_groups},
    Strategy{.name = "range",
             .help =
                 "Regroup's communicator of a set of ranks. Its creation needs no communication "
                 "and no new MPI communicator.",
             .growth = Growth::none,
             .make = constructor::range,
             .local_sets = true},
    Strategy{
        .name = "icreate_group",
        .help = "Regroup's nonblocking creation of a communicator like `range`, whose messages are "
                "isolated. For consecutive ranks, it completes immediately; otherwise, the members "
                "first exchange messages.",
        .growth = Growth::none,
        .make = icreate_group},
    by_all("dup", "MPI_Comm_dup, a copy of the parent", constructor::dup, Forms::whole),
    by_all("dup_with_info", "MPI_Comm_dup_with_info, a copy of the parent with info hints",
           dup_with_info, Forms::whole),
    by_all("idup", "MPI_Comm_idup, a nonblocking copy of the parent", idup, Forms::whole, no_smpi),
    by_all("idup_with_info",
           "MPI_Comm_idup_with_info (MPI 4), a nonblocking copy of the parent with info hints",
           idup_with_info, Forms::whole, no_smpi),
    by_all("split_type_shared",
           "MPI_Comm_split_type with MPI_COMM_TYPE_SHARED, which groups ranks that share memory",
           split_type_shared, Forms::shared),
    by_all("split_type_hw_unguided",
           "MPI_Comm_split_type with MPI_COMM_TYPE_HW_UNGUIDED (MPI 4): one group per node if the "
           "parent spans several nodes, otherwise one group per smaller hardware unit, such as a "
           "socket",
           split_type_hw_unguided, Forms::shared, no_smpi),
    by_all("split_type_hw_guided",
           "MPI_Comm_split_type with MPI_COMM_TYPE_HW_GUIDED (MPI 4) and the resource type "
           "`mpi_shared_memory`, which groups ranks that share memory",
           split_type_hw_guided, Forms::shared, no_smpi),
    by_all("split_type_resource_guided",
           "like `split_type_hw_guided`, with the more general MPI_COMM_TYPE_RESOURCE_GUIDED (MPI "
           "4.1)",
           split_type_resource_guided, Forms::shared, no_smpi),
};

}  // namespace
}  // namespace constructor

std::span<const Strategy> strategies() { return constructor::rows; }

MakeCommunicator maker(const Strategy& strategy) {
  if (strategy.make != nullptr) return strategy.make;
  throw std::invalid_argument(fmt::format("the MPI library lacks what {} calls", strategy.name));
}

}  // namespace regroup
