// SPDX-License-Identifier: BSD-3-Clause
//
// What developers of MPI libraries ask after each change: did anything get slower?
#include "driver/store/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "driver/cli/commands.hpp"
#include "driver/store/provenance.hpp"
#include "kernel/files/files.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"

namespace regroup {
namespace {

/// "5%" as the ratio 1.05.
double limit_in(const std::string& worse) {
  const auto percent =
      worse.ends_with('%') ? parse<double>(worse.substr(0, worse.size() - 1)) : std::nullopt;
  if (!percent || !(*percent >= 0 && *percent <= 10'000)) {
    throw UserError(
        fmt::format("--worse {}: allowed: from 0% to 10000%, with the sign, as 5%", worse));
  }
  return 1 + *percent / 100;
}

/// The kinds that both have; nullptr: runs.
std::vector<const MeasurementKind*> kinds_in(const std::array<std::string, 2>& directories,
                                             const Catalog& catalog) {
  std::vector<const MeasurementKind*> all{nullptr};
  for (const MeasurementKind& kind : catalog.measurements) all.push_back(&kind);
  std::vector<const MeasurementKind*> both;
  for (const MeasurementKind* kind : all) {
    const auto has = [&](const std::string& directory) {
      return file_exists(directory + "/" + file_of(kind));
    };
    if (std::ranges::all_of(directories, has)) {
      both.push_back(kind);
    } else if (std::ranges::any_of(directories, has)) {
      print_error(fmt::format("{} is in one of them only, and not compared", file_of(kind)));
    }
  }
  if (both.empty()) {
    throw UserError(
        fmt::format("{} and {} have no file of results in common", directories[0], directories[1]));
  }
  return both;
}

/// Settings of the launcher, variables of the environment, compilers: what rows do not contain.
void add_circumstances(const std::array<std::string, 2>& directories, Comparison& comparison) {
  std::array<std::map<std::string, std::set<std::string>>, 2> values;
  std::set<std::string> names;
  for (std::size_t side = 0; side < 2; ++side) {
    for (const auto& [invocation, own] : read_circumstances(directories[side])) {
      for (const auto& [name, value] : own) {
        values[side][name].insert(value);
        names.insert(name);
      }
    }
  }
  for (const std::string& name : names) {
    if (values[0][name] == values[1][name] || comparison.differences.contains(name)) continue;
    std::array<std::string, 2> told;
    for (std::size_t side = 0; side < 2; ++side) {
      for (const std::string& one : values[side][name]) {
        told[side] += (told[side].empty() ? "" : "; ") + one;
      }
    }
    comparison.differences[name] = told;
  }
}

}  // namespace

int compare(const CompareOptions& asked, const Catalog& catalog) {
  const double limit = limit_in(asked.worse);
  std::vector<Comparison> all;
  for (const MeasurementKind* kind : kinds_in(asked.directories, catalog)) {
    all.push_back(compare(file_of(kind),
                          {compared_rows(asked.directories[0], kind, catalog),
                           compared_rows(asked.directories[1], kind, catalog)},
                          limit));
    add_circumstances(asked.directories, all.back());
  }
  if (asked.format == "json") {
    print_out_text(as_json(all, asked.directories, limit));
  } else {
    print_out("A: {}\n{}B: {}\n", asked.directories[0], asked.format == "markdown" ? "\n" : "",
              asked.directories[1]);
    for (const Comparison& one : all) {
      print_out("\n{}", as_text(one, limit, asked.format == "markdown"));
    }
  }
  const auto any = [&](const auto& holds) { return std::ranges::any_of(all, holds); };
  if (!any([](const Comparison& one) { return !one.compared.empty(); })) {
    throw UserError("nothing was compared: no rows of A and B that ended well belong together");
  }
  return any([](const Comparison& one) { return one.count(Verdict::worse) > 0; }) ? 1 : 0;
}

}  // namespace regroup
