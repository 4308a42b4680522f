// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sweep/measurement_series.hpp"

#include <fmt/format.h>

#include "communicators/available.hpp"
#include "jobs/records/measurement_record.hpp"
#include "jobs/sweep/predict.hpp"
#include "jobs/sweep/result_files.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/files/csv.hpp"

namespace regroup {
namespace {

std::string why_unsupported(const Measurement& m) {
  const std::string_view strategy = strategy_of(m);
  if (!available(strategy)) return fmt::format("the MPI library lacks the calls of {}", strategy);
  if (const std::string why = unsupported_waiting(m.waiting); !why.empty()) return why;
  return impossible(m);
}

/// "create 1.25 ms, free 3.10 µs": the medians among the figures.
std::string medians(const MeasurementKind& kind, const Findings& findings) {
  constexpr std::string_view ending = "_median_s";
  std::string text;
  for (const Figure& figure : kind.figures) {
    const auto found = findings.figures.find(std::string(figure.name));
    if (!figure.name.ends_with(ending) || found == findings.figures.end()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                        figure.name.substr(0, figure.name.size() - ending.size()),
                        in_fitting_unit(found->second));
  }
  return text.empty() ? "ok" : text;
}

}  // namespace

MeasurementSeries::MeasurementSeries(Measurements measurements)
    : measurements_(std::move(measurements)), kind_(measurements_.kind()) {
  command = kind_.name;
  noun = "measurements";
  configuration = measurements_;
  files = files_of(kind_);
}

Task MeasurementSeries::task(std::size_t place) const {
  const Measurement m = measurements_.at(place);
  return {fingerprint(m), describe(m), why_unsupported(m), to_json(m), m.timeout_s};
}

std::string MeasurementSeries::id(std::size_t place) const {
  return fingerprint(measurements_.at(place));
}

std::string MeasurementSeries::description(std::size_t place) const {
  return describe(measurements_.at(place));
}

std::string MeasurementSeries::unsupported(std::size_t place) const {
  return why_unsupported(measurements_.at(place));
}

std::optional<double> MeasurementSeries::predicted_s(std::size_t place) const {
  return predicted_wall_s(measurements_.at(place));
}

void MeasurementSeries::check(std::span<const std::size_t> chosen) const {
  if (!chosen.empty()) check_launcher(configuration);
}

MpiJob MeasurementSeries::job(std::size_t place, const std::string& task_file,
                              const std::string& outcome_file, const std::string&) const {
  const Measurement m = measurements_.at(place);
  return mpi_job(configuration, m.ranks, m.waiting, task_file, outcome_file);
}

Report MeasurementSeries::report(std::size_t place, const Ended& ended,
                                 const std::string& outcome) const {
  MeasurementRecord record;
  static_cast<Ended&>(record) = ended;
  record.measurement = measurements_.at(place);
  if (ended.status == Status::ok) record.findings = findings_from_json(outcome);
  return {ended,
          {csv_line(fields_of(kind_, record))},
          record.findings ? medians(kind_, *record.findings) : "",
          record.findings ? waiting_warning(record.measurement.waiting, record.findings->waiting,
                                            record.measurement.ranks, record.findings->cores)
                          : ""};
}

}  // namespace regroup
