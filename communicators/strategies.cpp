// SPDX-License-Identifier: BSD-3-Clause
//
// The communicator strategies. Each has a function and a row of the table at the end, which states
// who must call it. If the MPI library lacks the calls of a strategy, its row has no function.
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
/// Must be closed before MPI_Finalize: with MPICH 4.0, a session that is still open, or that an
/// attribute's callback closes, makes some processes exit too early, which ends the others.
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

/// Owns an info object with the given hints (keys and values).
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

/// Returns the communicator that `call` creates and stores at the address passed to it.
template <class Call>
GroupComm created(Site& parent, Call call) {
  MPI_Comm comm = MPI_COMM_NULL;
  call(&comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

// Each rank passes the group that it joins; groups of one call are disjoint.
GroupComm comm_create(Site& parent, const Members& members, int) {
  const GroupHandle group = group_of(parent.comm(), members);
  return created(parent,
                 [&](MPI_Comm* comm) { MPI_Comm_create(parent.comm(), group.get(), comm); });
}

// The colour is the group's first member, and the key is the index among the members.
GroupComm comm_split(Site& parent, const Members& members, int) {
  const int key = members.index_of(parent.rank());
  const int colour = key < 0 ? MPI_UNDEFINED : members[0];
  return created(parent, [&](MPI_Comm* comm) { MPI_Comm_split(parent.comm(), colour, key, comm); });
}

// MPI_Comm_create_group, by which MPI 3 adopted the idea of Dinan et al.
GroupComm create_group(Site& parent, const Members& members, int tag) {
  if (!joins(parent, members)) return {};
  const GroupHandle group = group_of(parent.comm(), members);
  return created(parent, [&](MPI_Comm* comm) {
    MPI_Comm_create_group(parent.comm(), group.get(), tag, comm);
  });
}

#if REGROUP_HAS_create_from_group
/// Returns the group of `ranks` of `parent`, taken from the process set mpi://WORLD of a session.
/// The first call opens the session, which lives as long as the parent.
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

/// Returns `tag` as a string tag, which distinguishes creations from groups.
std::string string_tag(int tag) { return fmt::format("org.regroup.{}", tag); }

/// The error handler of the parent's communicator, for calls without a communicator argument.
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

/// Reports that no context is left: MPICH 4.0 returns MPI_SUCCESS without a communicator then.
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

// The group comes from a session; no parent communicator takes part.
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
// Creates an intercommunicator of the two halves of the members from a session, and merges it. A
// single member calls create_from_group instead. With MPICH 4.0, members crash here if no context
// is left. Source: MPI 4.1, section 7.6.2.
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

// Our nonblocking creation after the proposal in section VI of the RBC paper (regroup/range.hpp),
// followed by a wait. Callers of strategies run one operation of a group at a time, in the same
// order on all its processes, so that ranges may share channels.
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

// Each member creates the communicator locally, in constant time if the members are a range.
// Source: Axtmann, Wiebigke, Sanders, Lightweight MPI Communicators with Applications to Perfectly
// Balanced Quicksort, IPDPS 2018 (RBC).
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
/// if receives use no wildcards and are exactly as long as their messages.
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

/// Returns the copy that `call` starts to create, after waiting for its request.
template <class Call>
GroupComm copied(Site& parent, Call call) {
  return created(parent, [&](MPI_Comm* comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    call(comm, &request);
    // If MPICH fails because no context is left, its handle must be neither used nor freed.
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

/// Splits `parent` by its placement on the machine, which determines the members.
GroupComm split(Site& parent, int split_type, MPI_Info info) {
  return created(parent, [&](MPI_Comm* comm) {
    MPI_Comm_split_type(parent.comm(), split_type, parent.rank(), info, comm);
  });
}
template <int split_type>
GroupComm split_by_type(Site& parent, const Members&, int) {
  return split(parent, split_type, MPI_INFO_NULL);
}
/// Splits by mpi_shared_memory, the only resource type that MPI reserves. If the library does not
/// support it, every rank gets an empty communicator.
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

/// Returns the row of a parent-collective strategy.
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
