// SPDX-License-Identifier: BSD-3-Clause
//
// Files beside that with a row for each run, or measurement: rows of one follow each other, and
// they stand in the order of their own rows there.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

#include "jobs/verify/faults.hpp"
#include "jobs/verify/verify.hpp"
#include "kernel/files/csv_reader.hpp"

namespace regroup {

/// Where the row of each run, or measurement, stands in their file, counted from 0; of one that
/// stands there twice, the first.
using RowPlaces = std::unordered_map<std::string, std::size_t>;

/// Reads a file beside that of the runs, or measurements, block by block.
template <class Content>
class Beside {
 public:
  /// `main`: the name of that file.
  Beside(const std::string& path, std::string main, const RowPlaces& places,
         Content (*read)(const CsvRow&), Faults& faults)
      : main_(std::move(main)),
        reader_(path),
        places_(places),
        read_(read),
        faults_(faults),
        run_(reader_.column("run")) {
    more_ = reader_.next();
  }

  /// The rows of the run `id`, which stands at `place`.
  std::optional<Block<Content>> take(const std::string& id, std::size_t place) {
    pass_over_those_before(place);
    if (!more_ || reader_.row().fields[run_] != id) return std::nullopt;
    Block<Content> block{reader_.row().line, {}};
    for (; more_ && reader_.row().fields[run_] == id; more_ = reader_.next()) {
      block.rows.push_back(read_(reader_.row()));
    }
    return block;
  }

  /// What is left belongs to no run. Where the sweep has not ended, rows of one run may be ahead of
  /// its own row, which comes last.
  void end(bool unfinished) {
    pass_over_those_before(places_.size());
    if (unfinished && foreign_) {
      faults_.unchecked(fmt::format("{}:{}: {}: the sweep has not ended", reader_.path(),
                                    foreign_->line, foreign_->what));
      foreign_.reset();
    }
    tell_foreign();
    check_end(reader_, unfinished, faults_);
  }

 private:
  struct Foreign {
    std::size_t line;
    std::string what;
  };

  void pass_over_those_before(std::size_t place) {
    std::string last;
    for (; more_; more_ = reader_.next()) {
      const std::string& id = reader_.row().fields[run_];
      const auto known = places_.find(id);
      if (known != places_.end() && known->second >= place) break;
      if (foreign_ && id == last) continue;
      tell_foreign();
      last = id;
      foreign_ = {reader_.row().line,
                  known == places_.end()
                      ? fmt::format("rows of a run {}, which {} does not have", id, main_)
                      : fmt::format("rows of run {} that do not stand with its others, or not in "
                                    "the order of {}",
                                    id, main_)};
    }
    if (more_) tell_foreign();
  }

  void tell_foreign() {
    if (foreign_) faults_.add(reader_.path(), foreign_->line, foreign_->what);
    foreign_.reset();
  }

  std::string main_;
  CsvReader reader_;
  const RowPlaces& places_;
  Content (*read_)(const CsvRow&);
  Faults& faults_;
  std::size_t run_;
  bool more_ = false;
  std::optional<Foreign> foreign_;  // rows that were passed over last
};

inline RowPlaces places_of_rows(const std::string& path, bool unfinished, Faults& faults) {
  RowPlaces places;
  CsvReader reader(path);
  const std::size_t run = reader.column("run");
  for (std::size_t place = 0; reader.next(); ++place) {
    const std::string& id = reader.row().fields[run];
    if (!places.try_emplace(id, place).second) {
      faults.add(path, reader.row().line, fmt::format("run {} stands there before", id));
    }
  }
  check_end(reader, unfinished, faults);
  return places;
}

}  // namespace regroup
