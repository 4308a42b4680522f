// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/records/measurement_record.hpp"

#include <fmt/format.h>

#include <functional>

#include "communicators/strategies.hpp"
#include "kernel/files/plain_text.hpp"

namespace regroup {
namespace {

struct Field : ResultColumn {
  std::function<std::string(const MeasurementRecord&)> value;
};

/// A field that is empty where nothing came out.
template <class Value>
std::function<std::string(const MeasurementRecord&)> if_found(Value value) {
  return [value](const MeasurementRecord& record) {
    return record.findings ? std::string(value(record, *record.findings)) : std::string();
  };
}

std::string exact(double number) { return fmt::format("{:.17g}", number); }

std::string caller(const MeasurementRecord& record) {
  const Strategy* strategy = find_entry(strategies, record.measurement.parameters.text("strategy"));
  return strategy->caller == Caller::parent ? "parent" : "group";
}

std::vector<Field> fields(const MeasurementKind& kind) {
  using Record = MeasurementRecord;
  std::vector<Field> all{
      {{"run", "sixteen digits that name the parameters of the measurement"},
       [](const Record& r) { return fingerprint(r.measurement); }},
      {{"experiment", "name of the sweep"},
       [](const Record& r) { return r.measurement.experiment; }},
      {{"ranks", "as configured"},
       [](const Record& r) { return std::to_string(r.measurement.ranks); }},
      {{"cores", "cores of all hosts of the measurement together"},
       if_found([](const Record&, const Findings& f) { return std::to_string(f.cores); })},
      {{"oversubscribed", "`yes` where ranks outnumber cores"},
       if_found([](const Record& r, const Findings& f) {
         return r.measurement.ranks > f.cores ? "yes" : "no";
       })}};
  for (const OptionSpec& spec : kind.options) {
    const std::string name(spec.name);
    all.push_back({{name, std::string(spec.help)},
                   [name](const Record& r) { return r.measurement.parameters.text(name); }});
    if (name == "strategy") {
      all.push_back(
          {{"caller", "who must enter the strategy's call: `parent` or `group`"}, caller});
    }
  }
  for (const Figure& figure : kind.figures) {
    const std::string name(figure.name);
    all.push_back(
        {{name, std::string(figure.help)}, if_found([name](const Record&, const Findings& f) {
           const auto found = f.figures.find(name);
           return found == f.figures.end() ? std::string() : exact(found->second);
         })});
  }
  const std::vector<Field> rest{
      {{"waiting", "how processes should wait"},
       [](const Record& r) { return r.measurement.waiting; }},
      {{"waited", "how they did: `wrapper`, `polite` or `direct`"},
       if_found([](const Record&, const Findings& f) { return f.waiting; })},
      {{"repetition", "which one, from 1 on"},
       [](const Record& r) { return std::to_string(r.measurement.repetition); }},
      {{"seed", "as configured"},
       [](const Record& r) { return std::to_string(r.measurement.seed); }},
      {{"setup_s", "from the processes' start to the first sample"},
       if_found([](const Record&, const Findings& f) { return exact(f.setup_s); })},
      {{"wall_s", "of the whole measurement, with launching and ending"},
       [](const Record& r) { return exact(r.wall_s); }},
      {{"status", "as in `runs.csv`; also `unsupported`: the strategy cannot form such groups"},
       [](const Record& r) { return std::string(name(r.status)); }},
      {{"message", "why the measurement did not end well; its output is in `logs/`"},
       [](const Record& r) { return one_line(r.message); }},
      {{"version", "version and commit of Regroup"}, [](const Record& r) { return r.version; }},
      {{"library", "the MPI library that the processes ran with"},
       if_found([](const Record&, const Findings& f) { return one_line(f.library); })},
  };
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

}  // namespace

std::vector<ResultColumn> columns_of(const MeasurementKind& kind) {
  const std::vector<Field> all = fields(kind);
  return {all.begin(), all.end()};
}

std::vector<std::string> fields_of(const MeasurementKind& kind, const MeasurementRecord& record) {
  std::vector<std::string> row;
  for (const Field& field : fields(kind)) row.push_back(field.value(record));
  return row;
}

}  // namespace regroup
