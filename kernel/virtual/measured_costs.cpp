// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/virtual/measured_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "communicators/strategies.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/user_error.hpp"
#include "kernel/numbers/exact_math.hpp"

namespace regroup {
namespace {

constexpr OptionSpec size_spec = integer_option("", "", 1, 1 << 20, "");
// At most as of the costs that a configuration gives.
constexpr OptionSpec time_spec = real_option("", "", 0, 1000, "");

CsvTable table_in(const std::string& file) {
  if (const std::string complaint = input_complaint(file); !complaint.empty()) {
    throw UserError(fmt::format("{}: {}", file, complaint));
  }
  return read_csv(file);
}

/// The rows of a file of measurements that ended well, and the numbers in them.
class Rows {
 public:
  explicit Rows(const std::string& file) : table_(table_in(file)) {
    const std::size_t status = table_.column("status");
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      if (table_.rows[i][status] == "ok") rows_.push_back(i);
    }
  }

  void keep(std::string_view column, std::string_view value) {
    const std::size_t at = table_.column(column);
    std::erase_if(rows_, [&](std::size_t row) { return table_.rows[row][at] != value; });
    if (rows_.empty()) {
      throw UserError(fmt::format("{}: no row with {} {} ended well", table_.path, column, value));
    }
  }

  /// Those whose number of ranks is nearest to `ranks`; the ratio counts.
  void keep_nearest(int ranks) {
    const auto distance = [&](std::size_t row) {
      return std::abs(levels_of(number(row, "ranks")) - levels_of(ranks));
    };
    if (rows_.empty()) throw UserError(fmt::format("{}: no row ended well", table_.path));
    const double least = distance(*std::ranges::min_element(rows_, {}, distance));
    std::erase_if(rows_, [&](std::size_t row) { return distance(row) > least; });
  }

  /// `figure` by the size that `size` tells of a row. Of several rows with one size, the last
  /// counts; rows without the figure do not.
  template <class Size>
  CostCurve curve(std::string_view figure, Size size) const {
    std::map<double, double> points;
    const std::size_t at = table_.column(figure);
    for (const std::size_t row : rows_) {
      if (!table_.rows[row][at].empty()) points[levels_of(size(row))] = number(row, figure);
    }
    if (points.empty()) {
      throw UserError(fmt::format("{}: no row has a {}", table_.path, figure));
    }
    return {points.begin(), points.end()};
  }

  /// What stands in a column of sizes, or else in one of times.
  double number(std::size_t row, std::string_view column) const {
    const std::string& text = table_.rows[row][table_.column(column)];
    OptionSpec spec = column == "ranks" || column == "group_size" ? size_spec : time_spec;
    spec.name = column;
    if (const std::string wrong = complaint(spec, text); !wrong.empty()) {
      throw UserError(fmt::format("{}:{}: {}", table_.path, table_.lines[row], wrong));
    }
    return Options{{"", text}}.real("");
  }

 private:
  CsvTable table_;
  std::vector<std::size_t> rows_;
};

}  // namespace

double at(const CostCurve& curve, double log2_size) {
  if (curve.size() == 1 || log2_size <= curve.front().first) return curve.front().second;
  auto right =
      std::ranges::lower_bound(curve, log2_size, {}, [](const auto& p) { return p.first; });
  if (right == curve.end()) --right;
  const auto left = right - 1;
  const double slope = (right->second - left->second) / (right->first - left->first);
  return std::max(0.0, left->second + slope * (log2_size - left->first));
}

double levels_of(double size) { return size > 1 ? exact::log2(size) : 0; }

MeasuredCosts read_measured_costs(const Options& options, int ranks, const Strategy* strategy) {
  MeasuredCosts costs;
  Rows steps(options.text("steps_file"));
  steps.keep_nearest(ranks);
  const auto members = [](const Rows& rows) {
    return [&rows](std::size_t row) { return rows.number(row, "group_size"); };
  };
  costs.look = steps.curve("look_s", members(steps)).front().second;
  costs.message = steps.curve("message_s", members(steps)).front().second;
  costs.tell = steps.curve("tell_s", members(steps));
  costs.exchange = steps.curve("exchange_s", [&](std::size_t row) {
    return std::ceil(steps.number(row, "ranks") / steps.number(row, "group_size"));
  });

  if (strategy == nullptr || strategy->local()) return costs;
  Rows creation(options.text("costs_file"));
  creation.keep("strategy", strategy->name);
  creation.keep("pattern", "one_group");
  if (strategy->caller == Caller::parent) {
    costs.create = creation.curve("create_median_s",
                                  [&](std::size_t row) { return creation.number(row, "ranks"); });
  } else {
    creation.keep_nearest(ranks);
    costs.create = creation.curve("create_median_s", members(creation));
  }
  return costs;
}

}  // namespace regroup
