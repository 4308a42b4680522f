// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/results/sample_rows.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "jobs/records/csv_cells.hpp"
#include "kernel/measurement/sampled.hpp"

namespace regroup {

std::vector<ResultColumn> sample_columns() {
  std::vector<std::string> figures;
  for (const SampledTime& time : sampled_times()) figures.emplace_back(time.name);
  return {
      {"run", content::text, "the measurement"},
      {"figure", content::one_of(std::move(figures)),
       "what was timed: `regroup list samples` tells of them"},
      {"sample", content::integer,
       fmt::format("its number, from 1 on; of more than {}, every so many-th is there", most_kept)},
      {"began_s", content::number, "when it began, from the common start of the measurement on"},
      {"value_s", content::number, "the time that it took"}};
}

std::string sample_lines(const std::string& id, const Samples& samples) {
  std::string text;
  for (const auto& [figure, all] : samples) {
    if (find_entry(sampled_times(), figure) == nullptr) {
      throw std::invalid_argument("samples of a time that nobody takes");
    }
    for (const Sample& sample : all) {
      text += fmt::format("{},{},{},{:.17g},{:.17g}\n", id, figure, sample.number, sample.began_s,
                          sample.value_s);
    }
  }
  return text;
}

SampleRow sample_in(const CsvRow& row) {
  const std::string& figure = row["figure"];
  if (find_entry(sampled_times(), figure) == nullptr) {
    fail_in_row(row, fmt::format("unknown figure '{}'", figure));
  }
  return {figure,
          {number<std::int64_t>(row, "sample"), number<double>(row, "began_s"),
           number<double>(row, "value_s")}};
}

}  // namespace regroup
