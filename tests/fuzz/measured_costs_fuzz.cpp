// SPDX-License-Identifier: BSD-3-Clause
//
// Fuzzes the readers of measured costs: the input is steps.csv if its header has a column of that
// file, otherwise creation.csv; the other file is valid.
#include <cmath>

#include "library/resolve.hpp"
#include "regroup/costs.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/tasks.hpp"

namespace regroup {
namespace {

constexpr std::string_view whole_creation =
    "communicator,pattern,ranks,group_size,create_median_s,status\n"
    "create_group,one_group,32,2,0.001,ok\n"
    "create_group,one_group,32,8,0.003,ok\n"
    "comm_split,one_group,32,2,0.004,ok\n";
constexpr std::string_view whole_steps =
    "ranks,group_size,look_for_request_s,message_s,tell_members_s,exchange_loads_s,status\n"
    "32,4,1e-7,1e-4,5e-5,0.002,ok\n"
    "32,16,1e-7,1e-4,7e-5,0.001,ok\n";

void check_costs(const Task& run) {
  const Costs costs = costs_of(run);
  const auto fine = [](double seconds) {
    fuzz::expect(std::isfinite(seconds) && seconds >= 0, "a cost that is no time");
  };
  fine(costs.message());
  fine(costs.look());
  for (int members = 1; members <= run.ranks; members *= 4) {
    fine(costs.tell(members));
    fine(costs.create(members));
    fine(costs.exchange(static_cast<std::size_t>(members)));
  }
}

}  // namespace
}  // namespace regroup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace regroup;
  const std::string_view text = fuzz::text_of(data, size);
  const bool steps =
      text.substr(0, text.find('\n')).find("look_for_request_s") != std::string_view::npos;
  const std::string steps_file = fuzz::write("steps.csv", steps ? text : whole_steps);
  const std::string creation_file = fuzz::write("creation.csv", steps ? whole_creation : text);
  Task run = virtual_run();
  run.run().costs =
      cost_model("measured", {{"costs_file", creation_file}, {"steps_file", steps_file}});
  for (const char* name : {"create_group", "comm_split", "range"}) {
    for (const int ranks : {1, 64, 1 << 20}) {
      run.run().strategy = strategy(name);
      run.ranks = ranks;
      fuzz::accepted(steps ? steps_file : creation_file, [&] { check_costs(run); });
    }
  }
  return 0;
}
