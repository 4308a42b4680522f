// SPDX-License-Identifier: BSD-3-Clause
//
// The short subcommands: run, table, compare and report.
#include "driver/cli/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "driver/execute/allocation.hpp"
#include "driver/execute/launch.hpp"
#include "driver/store/compare.hpp"
#include "driver/store/overview.hpp"
#include "driver/store/provenance.hpp"
#include "driver/store/settings.hpp"
#include "driver/store/table.hpp"
#include "kernel/files/files.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/shell_words.hpp"
#include "kernel/text/terminal.hpp"
#include "measurements/creation_claims.hpp"

namespace regroup {

// ---- run and table

int run(Experiment experiment, const SweepOptions& options) {
  settle_launcher(experiment, options.which);
  if (interrupted()) return 130;
  const int code = run_sweep(experiment, options);
  constexpr int some_did_not_end_well = 1;
  if (code > some_did_not_end_well || experiment.of_runs() || options.quiet) return code;
  try {
    print_measurements(*experiment.measured(), results_directory(experiment, options), "text", {},
                       experiment.catalog());
  } catch (const UserError& error) {  // in a row of an earlier sweep
    print_error(error.what());
    return 1;
  }
  return code;
}

namespace {

/// Returns 0 if all guidelines hold, 1 if one is violated. Otherwise throws UserError.
int check_guidelines(const std::string& directory, const Where& where, const Catalog& catalog) {
  const MeasurementKind& kind = *find_entry(catalog.measurements, "creation");
  const std::string path = directory + "/" + file_of(&kind);
  const std::vector<Record> records = read_records(directory, &kind, catalog, where);
  std::size_t number = 0;
  std::size_t unknown = 0;
  bool violated = false;
  for (const TitledSetting& setting : measured_settings(kind, directory, records)) {
    for (const Guideline& guideline : judged(setting.setting)) {
      ++number;
      unknown += guideline.verdict == Guideline::Verdict::too_few_samples ? 1 : 0;
      violated |= guideline.verdict == Guideline::Verdict::violated;
    }
  }
  if (violated) return 1;
  if (number == 0) {
    throw UserError(
        fmt::format("{}: no guideline can be checked: both of its sides must be measured, with the "
                    "same number of ranks",
                    path));
  }
  if (unknown > 0) {
    throw UserError(fmt::format("{}: {} of {} guidelines cannot be checked: too few samples", path,
                                unknown, number));
  }
  return 0;
}

}  // namespace

int print_table(const TableOptions& asked, const Catalog& catalog) {
  const std::string& directory = asked.directory;
  const MeasurementKind* kind = kind_in(directory, catalog);
  if (asked.check && (kind == nullptr || kind->name != "creation")) {
    throw UserError(
        fmt::format("{}: --check needs a file creation.csv, and there is none", directory));
  }
  if (!asked.by.empty() && kind != nullptr) {
    throw UserError(
        fmt::format("{}: --by needs runs, and this directory contains measurements", directory));
  }
  if (!asked.by.empty()) {
    print_overview(directory, asked.format, asked.by, asked.where, catalog);
  } else if (asked.format == "rows") {
    print_rows(directory, kind, asked.where, catalog);
  } else if (kind == nullptr) {
    print_run_table(directory, asked.format, asked.where, catalog);
  } else {
    print_measurements(*kind, directory, asked.format, asked.where, catalog);
  }
  return asked.check ? check_guidelines(directory, asked.where, catalog) : 0;
}

// ---- compare

namespace {

/// Returns the ratio for a percentage: 1.05 for "5%".
double limit_in(const std::string& worse) {
  const auto percent =
      worse.ends_with('%') ? parse<double>(worse.substr(0, worse.size() - 1)) : std::nullopt;
  if (!percent || !(*percent >= 0 && *percent <= 10'000)) {
    throw UserError(fmt::format(
        "--worse {}: allowed: from 0% to 10000%, with the percent sign, as in 5%", worse));
  }
  return 1 + *percent / 100;
}

/// Returns the kinds of results that both directories contain.
std::vector<const MeasurementKind*> common_kinds(const std::array<std::string, 2>& directories,
                                                 const Catalog& catalog) {
  std::vector<const MeasurementKind*> both;
  for (const MeasurementKind* kind : kinds_of_results(catalog)) {
    const auto has = [&](const std::string& directory) {
      return file_exists(directory + "/" + file_of(kind));
    };
    if (std::ranges::all_of(directories, has)) {
      both.push_back(kind);
    } else if (std::ranges::any_of(directories, has)) {
      print_error(
          fmt::format("{} exists in one directory only and is not compared", file_of(kind)));
    }
  }
  if (both.empty()) {
    throw UserError(
        fmt::format("{} and {} have no file of results in common", directories[0], directories[1]));
  }
  return both;
}

/// Adds differences that rows do not show: launcher, environment variables, compilers.
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
    const auto text = [&](std::size_t side) {
      return fmt::format("{}", fmt::join(values[side][name], "; "));
    };
    comparison.differences[name] = {text(0), text(1)};
  }
}

}  // namespace

int compare(const CompareOptions& asked, const Catalog& catalog) {
  const double limit = limit_in(asked.worse);
  std::vector<Comparison> all;
  for (const MeasurementKind* kind : common_kinds(asked.directories, catalog)) {
    all.push_back(compare(file_of(kind),
                          {compared_rows(asked.directories[0], kind, catalog, asked.where),
                           compared_rows(asked.directories[1], kind, catalog, asked.where)},
                          limit));
    add_circumstances(asked.directories, all.back());
  }
  if (asked.format == "json") {
    print_out_text(as_json(all, asked.directories, limit));
  } else {
    print_out("A: {}\n{}B: {}\n", asked.directories[0], asked.format == "markdown" ? "\n" : "",
              asked.directories[1]);
    std::string command = quoted(program_call()) + " compare";
    for (const std::string& directory : asked.directories) command += " " + quoted(directory);
    for (const std::string& condition : asked.where) command += " --where " + quoted(condition);
    for (const Comparison& one : all) {
      print_out("\n{}", as_text(one, limit, command, asked.format == "markdown"));
    }
  }
  const auto any = [&](const auto& holds) { return std::ranges::any_of(all, holds); };
  if (!any([](const Comparison& one) { return !one.compared.empty(); })) {
    throw UserError("nothing was compared: no rows of A and B that ended well can be paired");
  }
  if (!any([](const Comparison& one) {
        return one.count(Verdict::not_judged) < one.compared.size();
      })) {
    print_error("no time was judged: too few repetitions; set repetitions: 8");
    return 2;
  }
  return any([](const Comparison& one) { return one.count(Verdict::worse) > 0; }) ? 1 : 0;
}

// ---- report

namespace {

/// Returns the path of plots/report.py in the build tree of this program, or in its installation.
std::string report_script() {
  const std::filesystem::path own = this_program().parent_path();
  for (const char* plots : {"plots", "share/regroup/plots"}) {
    const std::filesystem::path script = own.parent_path() / plots / "report.py";
    if (std::filesystem::exists(script)) return script.string();
  }
  throw UserError(fmt::format("there is no plots/report.py for {}", own.string()));
}

}  // namespace

void make_report(const ReportOptions& asked) {
  std::vector<std::string> words{report_script()};
  setenv("REGROUP", this_program().c_str(), 1);  // the script asks it for tables
  if (!asked.output.empty()) words.push_back("--output=" + asked.output);
  for (const std::string& run : asked.runs) words.push_back("--run=" + run);
  for (const std::string& condition : asked.where) words.push_back("--where=" + condition);
  words.emplace_back("--");
  words.insert(words.end(), asked.directories.begin(), asked.directories.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  throw UserError(fmt::format("{}: {}", words[0], std::strerror(errno)));
}

}  // namespace regroup
