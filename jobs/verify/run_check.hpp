// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/catalog/engines.hpp"
#include "jobs/records/columns.hpp"
#include "jobs/verify/verify.hpp"
#include "kernel/outcome.hpp"

namespace regroup {

/// The check of one run: its row (run.cpp), and what its groups did (run_groups.cpp).
class RunCheck {
 public:
  explicit RunCheck(RunInFiles run);

  Faults faults() &&;

 private:
  std::string path(std::string_view file) const;
  std::string named(const std::string& what) const;
  void wrong(const std::string& what);
  void wrong_event(std::size_t line, const std::string& what);
  void wrong_regroups(std::size_t line, const std::string& what);
  std::string cell(std::string_view column) const;
  std::string by() const;

  bool is_named_right();
  void check_numbers_of_rows();
  void check_that_it_did_nothing();
  void check_what_it_did();
  void check_cells();
  void check_wall_time();
  void check_reports();
  void check_end(const Outcome& outcome);
  std::string lacks() const;
  double setup_s() const;

  bool take_groups();
  bool check_events();
  void refuse_first(auto refused, const std::string& what);
  void check_regroups();
  bool simulate_instead();
  void simulate_again();
  GroupFigures told_figures() const;
  std::vector<GroupLife>& lives() { return record_.outcome->lives; }
  Items executed() const;
  bool executed_are_known() const;

  RunInFiles run_;
  Record& record_;
  Scenario& scenario_;
  const EngineEntry& engine_;
  std::vector<std::int64_t> items_;  // of all groups at the start; none where not known
  GroupFigures groups_;              // that the row must tell
  Faults faults_;
};

}  // namespace regroup
