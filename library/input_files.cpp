// SPDX-License-Identifier: BSD-3-Clause
#include "library/input_files.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "kernel/files/files.hpp"
#include "kernel/workloads/recorded.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

/// Calls visit(options, name) for each option of `task` that names a file.
template <class SomeTask, class Visit>
void each_file(SomeTask& task, Visit visit) {
  const auto look_into = [&](auto& chosen) {
    if (!chosen) return;
    for (const OptionSpec& spec : chosen->options) {
      const std::string name(spec.name);
      if (spec.type == OptionSpec::Type::file && chosen.options.has(name)) {
        visit(chosen.options, name);
      }
    }
  };
  if (!task.is_run()) return look_into(task.measurement().walker);
  auto& run = task.run();
  look_into(run.workload);
  look_into(run.wants);
  look_into(run.speedup);
  look_into(run.true_speedup);
  look_into(run.walker);
  look_into(run.balancer);
  look_into(run.costs);
}

}  // namespace

std::vector<std::string> InputFiles::of(const Task& task) {
  std::vector<std::string> files;
  if (!task.is_run()) return files;
  each_file(task, [&](const Options& options, const std::string& name) {
    std::ranges::move(files_of_recording(options.text(name)), std::back_inserter(files));
  });
  const std::string_view python = task.run().walker->python;
  if (!python.empty()) files.emplace_back(python);
  return files;
}

Task with_absolute_files(Task task) {
  each_file(task, [&](Options& options, const std::string& name) {
    options.set(name, std::filesystem::absolute(options.text(name)));
  });
  return task;
}

void InputFiles::read(const Task& task) {
  for (const std::string& file : of(task)) {
    const auto [known, is_new] = hashes_.try_emplace(file);
    if (!is_new || !input_complaint(file).empty()) continue;
    if (const auto content = read_file(file)) known->second = hash_text(*content);
  }
}

std::optional<std::string> InputFiles::hash(const Task& task) const {
  std::string all;
  for (const std::string& file : of(task)) {
    const auto known = hashes_.find(file);
    if (known == hashes_.end() || !known->second) return std::nullopt;
    all += *known->second;
  }
  return all;
}

std::vector<std::string> InputFiles::of_walker(const Task& task) {
  std::vector<std::string> files;
  if (!task.is_run()) return files;
  const auto& walker = task.run().walker;
  for (const OptionSpec& spec : walker->options) {
    if (spec.type != OptionSpec::Type::file || !walker.options.has(spec.name)) continue;
    files.push_back(walker.options.text(spec.name));
  }
  return files;
}

}  // namespace regroup
