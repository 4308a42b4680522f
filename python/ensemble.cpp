// SPDX-License-Identifier: BSD-3-Clause
#include "python/ensemble.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "kernel/text/did_you_mean.hpp"
#include "library/described_walkers.hpp"
#include "library/launcher.hpp"
#include "library/refuse.hpp"
#include "python/python_walker.hpp"
#include "python/world.hpp"
#include "regroup/communicator.hpp"
#include "regroup/engine.hpp"
#include "regroup/program.hpp"
#include "regroup/waiter.hpp"

namespace regroup {
namespace {

/// A key of the settings and the member of an ensemble that it sets.
struct Setting {
  std::string_view name;
  void (*set)(Ensemble& ensemble, const py::handle& value);
};

template <auto member>
void set_member(Ensemble& ensemble, const py::handle& value) {
  auto& target = ensemble.*member;
  target = value.cast<std::remove_reference_t<decltype(target)>>();
}

constexpr std::array settings_by_name{
    Setting{"items", set_member<&Ensemble::items>},
    Setting{"group_size", set_member<&Ensemble::group_size>},
    Setting{"balancer",
            [](Ensemble& ensemble, const py::handle& value) {
              const auto [name, options] =
                  value.cast<std::pair<std::string, std::map<std::string, std::string>>>();
              ensemble.balancer = {name, {}};
              for (const auto& [option, text] : options)
                ensemble.balancer.options.set(option, text);
            }},
    Setting{"communicator", set_member<&Ensemble::strategy>},
    Setting{"item_ms", set_member<&Ensemble::item_ms>},
    Setting{"seed", set_member<&Ensemble::seed>},
    Setting{"waiting", set_member<&Ensemble::waiting>},
    Setting{"reproducible", set_member<&Ensemble::reproducible>},
    Setting{"chain_errors", set_member<&Ensemble::chain_errors>},
    Setting{"quantities", set_member<&Ensemble::quantities>},
    Setting{"report_every", set_member<&Ensemble::report_every>},
    Setting{"thin", set_member<&Ensemble::thin>},
    Setting{"keep_draws", set_member<&Ensemble::keep_draws>},
    Setting{"save_every", set_member<&Ensemble::save_every>},
    Setting{"states", set_member<&Ensemble::states>},
    Setting{"until_r_hat",
            [](Ensemble& ensemble, const py::handle& value) {
              ensemble.enough.r_hat = value.cast<double>();
            }},
    Setting{"until_effective_samples",
            [](Ensemble& ensemble, const py::handle& value) {
              ensemble.enough.effective_samples = value.cast<double>();
            }},
};

Ensemble ensemble_of(const py::dict& settings) {
  Ensemble ensemble;
  for (const auto& [key, value] : settings) {
    const std::string name = py::str(key);
    const Setting* setting = find_entry(settings_by_name, name);
    if (setting == nullptr) continue;
    try {
      setting->set(ensemble, value);
    } catch (const py::cast_error&) {
      refuse("the argument '{}' of regroup.run() has a value that does not fit: {}", name,
             std::string(py::repr(value)));
    }
  }
  return ensemble;
}

/// Returns an array for each chain, with one row per draw.
py::list draws_of(const Outcome& outcome, std::size_t chains, std::size_t quantities) {
  std::vector<std::vector<double>> all(chains);
  for (const ChainReport& report : outcome.reports) {
    std::vector<double>& draws = all[static_cast<std::size_t>(report.number)];
    draws.insert(draws.end(), report.draws.begin(), report.draws.end());
  }
  py::list list;
  for (const std::vector<double>& draws : all) {
    const std::size_t rows = quantities == 0 ? 0 : draws.size() / quantities;
    py::array_t<double> array({rows, quantities});
    std::ranges::copy(draws, array.mutable_data());
    list.append(array);
  }
  return list;
}

py::dict figures_of(const Outcome& outcome, const Ensemble& ensemble) {
  py::dict quantities;
  if (ensemble.report_every > 0) {
    for (const QuantityDiagnostics& one :
         convergence_of(outcome.reports, ensemble.quantities, outcome.failures).quantities) {
      quantities[py::str(one.name)] =
          py::make_tuple(one.mean, one.sd, one.r_hat, one.bulk_ess, one.tail_ess, one.mcse);
    }
  }
  const bool drawn = ensemble.report_every > 0 && ensemble.keep_draws;
  py::dict figures;
  figures["makespan_s"] = outcome.makespan_s();
  figures["chains_hash"] = outcome.chains_hash;
  figures["quantities"] = quantities;
  figures["draws"] =
      drawn ? draws_of(outcome, ensemble.items.size(), ensemble.quantities.size()) : py::list();
  figures["regroupings"] = std::ranges::count_if(outcome.lives, &GroupLife::regrouped);
  figures["enough_items"] = outcome.enough_items;
  py::dict failures;
  for (const ChainFailure& failure : outcome.failures) {
    failures[py::int_(failure.number)] = py::make_tuple(failure.item, failure.reason);
  }
  figures["failures"] = failures;
  figures["waiting"] = outcome.waiting;
  return figures;
}

/// Prints `error` and aborts all ranks, as others may wait for this one.
[[noreturn]] void end_all(const std::exception& error) {
  std::fflush(stdout);
  fmt::print(stderr, "regroup: {}\n", error.what());
  abort_all_ranks();
}

}  // namespace

void check_names(const std::vector<std::string>& names) {
  std::vector<std::string_view> allowed{"walkers", "options"};
  for (const Setting& setting : settings_by_name) allowed.push_back(setting.name);
  for (const std::string& name : names) {
    if (std::ranges::count(allowed, name) > 0) continue;
    refuse("regroup.run() has no argument '{}'{}", name, did_you_mean(name, allowed));
  }
}

py::object execute_ensemble(const py::dict& settings, const py::object& make,
                            const py::object& at_end) {
  Ensemble ensemble = ensemble_of(settings);
  ensemble.make = [&make](ChainName chain) { return std::make_unique<PythonWalker>(make, chain); };
  ensemble.at_end = [&at_end](int number, const Walker& walker) {
    const py::gil_scoped_acquire acquired;
    try {
      at_end(number, dynamic_cast<const PythonWalker&>(walker).object());
    } catch (py::error_already_set& error) {
      throw failure(error);
    }
  };
  const int rank = rank_in(MPI_COMM_WORLD);
  const int size = size_of(MPI_COMM_WORLD);
  try {
    check_own_launcher();
  } catch (const std::runtime_error& error) {
    refuse("{}", error.what());
  }
  print_tracebacks(size > 1);
  Outcome outcome;
  try {
    const py::gil_scoped_release released;
    outcome = execute(ensemble, MPI_COMM_WORLD);
  } catch (const std::invalid_argument&) {
    throw;
  } catch (const std::exception& error) {
    if (size > 1) end_all(error);
    throw;
  }
  if (rank != 0) return py::none();
  return figures_of(outcome, ensemble);
}

std::map<std::string, std::string> option_texts(const std::string& json,
                                                const std::map<std::string, std::string>& given) {
  const Catalog catalog = make_catalog([&](Catalog& all) { add_described(all, json, {}); });
  const WalkerEntry& walker = catalog.walkers.back();
  std::map<std::string, std::string> texts;
  for (const auto& [name, text] : given) {
    const OptionSpec* option = find_entry(walker.options, name);
    if (option == nullptr) {
      refuse("the walker {} has no option '{}'{}", walker.name, name,
             did_you_mean(name, walker.options));
    }
    if (const std::string wrong = complaint(*option, text); !wrong.empty()) refuse("{}", wrong);
    texts[name] = canonical(*option, text);
  }
  for (const OptionSpec& option : walker.options) {
    if (texts.contains(std::string(option.name))) continue;
    if (option.fallback.empty()) {
      refuse("the option '{}' of the walker {} is missing; allowed: {}", option.name, walker.name,
             allowed(option));
    }
    texts.emplace(option.name, option.fallback);
  }
  return texts;
}

int run_rank(const std::string& file, const std::vector<std::string>& arguments) {
  print_tracebacks(true);
  load_mpi_for_all();
  const auto described = [](const char* function, auto... values) {
    return py::module_::import("regroup.description").attr(function)(values...);
  };
  const auto make = [&](const std::string& name, const Options& options, ChainName chain) {
    const py::gil_scoped_acquire acquired;
    const std::map<std::string, std::string> texts(options.begin(), options.end());
    return std::make_unique<PythonWalker>(
        py::cpp_function([&](ChainName of) { return described("make", name, texts, of); }), chain);
  };
  const auto state_bytes = [](const std::string&, const Options&) { return std::int64_t{1}; };
  const auto add_rows = [&](Catalog& catalog) {
    const py::gil_scoped_acquire acquired;
    KeptErrorHandlers handlers;
    handlers.enter();
    const AtEnd kept([&] { handlers.leave(); });
    std::string json;
    try {
      json = described("describe", file).template cast<std::string>();
    } catch (py::error_already_set& error) {
      throw failure(error);
    }
    add_described(catalog, json, {make, state_bytes});
  };
  std::vector<std::string> words{"regroup-mpi"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const py::gil_scoped_release released;
  return rank_main(static_cast<int>(words.size()), argv.data(), add_rows);
}

}  // namespace regroup
