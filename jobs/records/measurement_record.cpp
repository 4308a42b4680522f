// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/records/measurement_record.hpp"

#include <fmt/format.h>

#include <functional>

#include "communicators/strategies.hpp"
#include "kernel/files/plain_text.hpp"

namespace regroup {
namespace {

struct Field {
  std::string name;
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
      {"run", [](const Record& r) { return fingerprint(r.measurement); }},
      {"experiment", [](const Record& r) { return r.measurement.experiment; }},
      {"ranks", [](const Record& r) { return std::to_string(r.measurement.ranks); }},
      {"cores", if_found([](const Record&, const Findings& f) { return std::to_string(f.cores); })},
      {"oversubscribed", if_found([](const Record& r, const Findings& f) {
         return r.measurement.ranks > f.cores ? "yes" : "no";
       })}};
  for (const OptionSpec& spec : kind.options) {
    const std::string name(spec.name);
    all.push_back({name, [name](const Record& r) { return r.measurement.parameters.text(name); }});
    if (name == "strategy") all.push_back({"caller", caller});
  }
  for (const Figure& figure : kind.figures) {
    const std::string name(figure.name);
    all.push_back({name, if_found([name](const Record&, const Findings& f) {
                     const auto found = f.figures.find(name);
                     return found == f.figures.end() ? std::string() : exact(found->second);
                   })});
  }
  const std::vector<Field> rest{
      {"waiting", [](const Record& r) { return r.measurement.waiting; }},
      {"waited", if_found([](const Record&, const Findings& f) { return f.waiting; })},
      {"repetition", [](const Record& r) { return std::to_string(r.measurement.repetition); }},
      {"seed", [](const Record& r) { return std::to_string(r.measurement.seed); }},
      {"setup_s", if_found([](const Record&, const Findings& f) { return exact(f.setup_s); })},
      {"wall_s", [](const Record& r) { return exact(r.wall_s); }},
      {"status", [](const Record& r) { return std::string(name(r.status)); }},
      {"message", [](const Record& r) { return one_line(r.message); }},
      {"version", [](const Record& r) { return r.version; }},
      {"library", if_found([](const Record&, const Findings& f) { return one_line(f.library); })},
  };
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

}  // namespace

std::vector<std::string> column_names(const MeasurementKind& kind) {
  std::vector<std::string> names;
  for (const Field& field : fields(kind)) names.push_back(field.name);
  return names;
}

std::vector<std::string> fields_of(const MeasurementKind& kind, const MeasurementRecord& record) {
  std::vector<std::string> row;
  for (const Field& field : fields(kind)) row.push_back(field.value(record));
  return row;
}

}  // namespace regroup
