// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/places.hpp"

#include <fmt/format.h>

#include <utility>

#include "driver/store/provenance.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

/// From here on the file tells of what changes from job to job: the first that came here.
constexpr std::string_view of_a_job = "job_id: ";

std::string text_of(const Node& node) {
  std::string text = fmt::format("  - name: {}\n    ranks: {}\n    cores: {}\n    bindings:\n",
                                 in_json(node.name), in_json(text_of(node.ranks())), node.cores());
  for (const Binding& binding : node.bindings) {
    text += fmt::format("      - {{ranks: {}, processors: {}}}\n", in_json(text_of(binding.ranks)),
                        in_json(text_of(binding.cpus)));
  }
  const HostFacts& facts = node.facts;
  for (const auto& [name, fact] :
       {std::pair("processor", facts.processor), std::pair("smt", facts.smt),
        std::pair("governor", facts.governor), std::pair("kernel", facts.kernel),
        std::pair("clock_source", facts.clock_source)}) {
    text += fmt::format("    {}: {}\n", name, in_json(fact));
  }
  return text + fmt::format("    quota: {}\n", facts.quota);
}

std::string variables_in(const Place& place) {
  if (place.variables.empty()) return "variables: {}\n";
  std::string text = "variables:\n";
  for (const auto& [name, value] : place.variables) {
    text += fmt::format("  {}: {}\n", in_json(name), in_json(value));
  }
  return text;
}

}  // namespace

PlaceFile place_file(const Place& place) {
  if (place.nodes.empty()) return {};
  std::string text = "nodes:\n";
  for (const Node& node : place.nodes) text += text_of(node);
  text += fmt::format("mpi: {}\n{}{}\n{}", in_json(place.mpi), of_a_job, in_json(place.job_id),
                      variables_in(place));
  return {placement_in(text), text};
}

std::string placement_in(std::string_view text) {
  return hash_text(text.substr(0, text.find(fmt::format("\n{}", of_a_job)) + 1));
}

}  // namespace regroup
