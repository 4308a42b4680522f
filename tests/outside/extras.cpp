// SPDX-License-Identifier: BSD-3-Clause
//
// A program that adds what posterior does not: a workload, a communicator strategy, a walker whose
// log-density is sometimes invalid, a kind of measurement, defined in measurement_kind_example.cpp,
// and a collective operation, defined in operation_example.cpp.
#include <mpi.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <regroup/communicator.hpp>
#include <regroup/measurement.hpp>
#include <regroup/program.hpp>
#include <regroup/strategy.hpp>
#include <regroup/walker.hpp>
#include <regroup/workload.hpp>

namespace regroup {
MeasurementKind barrier_kind();
extern const CollectiveOperation flat_bcast_row;
}  // namespace regroup

using namespace regroup;

namespace {

constexpr std::array rising_options{
    integer_option("more", "10", 0, 1e6, "items that a walker has more than the one on its left"),
};

Items rising(const Options& options, Groups groups, std::uint64_t) {
  Items items;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    items.push_back(options.integer("more") * static_cast<std::int64_t>(i + 1));
  }
  return items;
}

const WorkloadEntry rising_row{
    {"rising", "each walker has `more` items more than the one on its left", rising_options},
    rising,
    /*draws=*/false};

GroupComm members_only(Site& parent, const Members& members, int tag) {
  const GroupHandle group = group_of(parent.comm(), members);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_create_group(parent.comm(), group.get(), tag, &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

constexpr std::array<std::string_view, 5> densities{"usual", "nan", "inf", "huge", "huge_sum"};
constexpr std::array edge_options{
    choice_option("density", "usual", densities, "log-density in item 3 of chain 2"),
};

/// A normal distribution restricted to positive numbers: lower proposals have log-density -inf.
class Edge final : public Walker {
 public:
  Edge(std::string_view density, ChainName chain) : density_(density), chain_(chain) {}

  void execute(const Item& item, Team& team) override {
    const auto draw = [&](std::uint64_t which) {
      return random_bits(chain_.stream, Purpose::chain, chain_.number, 2 * item.number + which);
    };
    const double next = x_ + 2 * standard_normal(draw(0));
    const bool special = chain_.number == 2 && item.number == 3;
    FixedPoint ratio;  // computed by one member alone
    if (team.rank() == team.size() - 1) {
      ratio = (special ? special_density(next) : log_density(next)) - log_density(x_);
    }
    accepted_ = metropolis_accepts(team.sum(ratio).value(), draw(1));
    if (accepted_) x_ = next;
  }
  void pack(Packer& state) const override { state.put(x_); }
  void unpack(Unpacker& state) override { x_ = state.take<double>(); }
  void observe(std::span<double> draw) const override {
    draw[0] = x_;
    draw[1] = accepted_ ? 1 : 0;
  }

 private:
  static FixedPoint log_density(double x) {
    return x < 0 ? FixedPoint::minus_infinity() : FixedPoint::of(-1.2e6 - x * x / 2);
  }
  FixedPoint special_density(double x) const {
    if (density_ == "nan") return FixedPoint::of(std::sqrt(-1.0));
    if (density_ == "inf") return FixedPoint::of(std::numeric_limits<double>::infinity());
    if (density_ == "huge") return FixedPoint::of(-1e30);
    if (density_ == "huge_sum") return FixedPoint::of(-4e18) + FixedPoint::of(-4e18);
    return log_density(x);
  }

  std::string_view density_;
  ChainName chain_;
  double x_ = 0;
  bool accepted_ = false;  // the last item's proposal
};

constexpr std::array<std::string_view, 2> edge_quantities{"x", "accept_stat__"};

const WalkerEntry edge_row{{"edge", "the positive half of a normal distribution", edge_options},
                           [](const Options& options, ChainName chain) -> std::unique_ptr<Walker> {
                             for (const std::string_view density : densities) {
                               if (density == options.text("density"))
                                 return std::make_unique<Edge>(density, chain);
                             }
                             return nullptr;
                           },
                           [](const Options&) -> std::int64_t { return 8; },
                           /*smpi=*/false,
                           /*timed=*/false,
                           /*quantities=*/edge_quantities};

}  // namespace

void regroup::add_rows(Catalog& catalog) {
  catalog.workloads.push_back(rising_row);
  catalog.walkers.push_back(edge_row);
  catalog.strategies.push_back(
      {.name = "members_only", .help = "the members alone", .make = members_only});
  catalog.measurements.push_back(barrier_kind());
  catalog.operations.push_back(flat_bcast_row);
}
