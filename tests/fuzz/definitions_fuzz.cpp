// SPDX-License-Identifier: BSD-3-Clause
//
// Fuzzes the readers of communicator definitions, XML and YAML, and the resolution of members.
#include "communicators/named/walker_groups.hpp"
#include "regroup/named.hpp"
#include "tests/fuzz/input.hpp"

namespace regroup {
namespace {

constexpr int ranks = 8;
const std::vector<std::string> processors{"pd-01", "pd-01", "pd-02", "pd-02",
                                          "pd-03", "p4-04", "pd-05", "pd-05"};

/// Checks invariants that hold for every accepted file.
void check_members(const Definitions& definitions, const DefinedGroups& groups) {
  const auto& all = definitions.communicators();
  for (int place = 0; place < static_cast<int>(all.size()); ++place) {
    const DefinedCommunicator& one = all[static_cast<std::size_t>(place)];
    const Members& members = groups.members(place);
    fuzz::expect(one.parent < place, "a communicator before its parent");
    fuzz::expect(!members.empty(), "a communicator of nobody");
    for (int i = 0; i < members.size(); ++i) {
      fuzz::expect(members[i] >= 0 && members[i] < ranks, "a member that there is not");
      fuzz::expect(members.index_of(members[i]) == i, "a member twice");
      fuzz::expect(one.parent < 0 || groups.members(one.parent).index_of(members[i]) >= 0,
                   "a member that the parent does not have");
    }
  }
}

}  // namespace
}  // namespace regroup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace regroup;
  const std::string path = fuzz::write("input.yaml", fuzz::text_of(data, size));
  fuzz::accepted(path, [&] {
    const Definitions definitions = Definitions::read(path);
    check_members(definitions, DefinedGroups(definitions, ranks, processors));
  });
  fuzz::accepted(path, [&] {
    const StartingGroups groups = walker_groups(Definitions::read(path), 1 << 12);
    const std::string text = text_of(groups);
    fuzz::expect(text_of(StartingGroups::from(text)) == text, "groups that change on their way");
  });
  return 0;
}
