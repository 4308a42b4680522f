// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/verify/faults.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "kernel/files/plain_text.hpp"

namespace regroup {
namespace {

constexpr std::size_t shown = 20;

}  // namespace

void Faults::add(const std::string& path, std::size_t line, const std::string& what) {
  if (++count_ > shown) return;
  first_.push_back(line == 0 ? fmt::format("{}: {}", path, what)
                             : fmt::format("{}:{}: {}", path, line, what));
}

void Faults::add(const Faults& others) {
  count_ += others.count_;
  for (const std::string& fault : others.first_) {
    if (first_.size() < shown) first_.push_back(fault);
  }
  for (const auto& [what, times] : others.unchecked_) unchecked(what, times);
}

void Faults::print() const {
  // They may quote what somebody wrote: names of files, and what stands in the provenance.
  for (const std::string& fault : first_) fmt::print("{}\n", one_line(fault));
  if (count_ > first_.size()) fmt::print("… and {} more\n", count_ - first_.size());
  for (const auto& [what, times] : unchecked_) {
    fmt::print("not checked: {}{}\n", one_line(what),
               times > 1 ? fmt::format(" ({} times)", times) : "");
  }
}

}  // namespace regroup
