// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/results.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "kernel/files/csv.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"
#include "regroup/numbers.hpp"

namespace fs = std::filesystem;

namespace regroup {
namespace {

constexpr const char* provenance_file = "provenance.yaml";

std::string ourselves() {
  utsname system{};
  uname(&system);
  return fmt::format("process {} on {}, since {:%Y-%m-%d %H:%M:%S} UTC", getpid(), system.nodename,
                     fmt::gmtime(std::time(nullptr)));
}

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw UserError(fmt::format("{}: {}; select another directory with --out", path, why));
}

/// Returns whether `file` is still the one at `path`: the holder of the lock removes it at exit.
bool is_at(int file, const std::string& path) {
  struct stat here {};
  struct stat there {};
  return fstat(file, &here) == 0 && stat(path.c_str(), &there) == 0 && here.st_ino == there.st_ino;
}

}  // namespace

Lock::Lock(const std::string& directory) : path_(directory + "/lock") {
  do {
    if (file_ >= 0) close(file_);
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) fail(path_, std::strerror(errno));
    if (flock(file_, LOCK_EX | LOCK_NB) == 0) continue;
    const int error = errno;
    close(file_);
    if (error == EWOULDBLOCK) {
      fail(path_, fmt::format("another sweep is adding to these results: {}",
                              one_line(read_file(path_).value_or("?"))));
    }
    print_error(fmt::format(
        "{}: this file system does not support locks; do not start a second sweep there", path_));
    file_ = -1;
    return;
  } while (!is_at(file_, path_));
  const std::string text = ourselves();
  const bool written = ftruncate(file_, 0) == 0 &&
                       write(file_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (!written) {
    const std::string why = std::strerror(errno);
    close(file_);
    fail(path_, why);
  }
}

Lock::~Lock() {
  if (file_ < 0) return;
  unlink(path_.c_str());
  close(file_);
}

std::string holder_of_lock(const std::string& directory) {
  const std::string path = directory + "/lock";
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const bool held = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(file);
  return held ? one_line(read_file(path).value_or("?")) : "";
}

Results::Results(std::string directory, const MeasurementKind* kind, const Catalog& catalog)
    : directory_(std::move(directory)),
      kind_(kind),
      catalog_(catalog),
      columns_(columns_of(kind, catalog)),
      tables_(files_of(kind, catalog)) {}

bool Results::exist() const {
  return std::ranges::any_of(tables_,
                             [&](const TableFile& table) { return file_exists(path(table.name)); });
}

void Results::check_kind() const {
  for (const MeasurementKind* other : kinds_of_results(catalog_)) {
    const std::string file = path(file_of(other));
    if (other == kind_ || !file_exists(file)) continue;
    fail(file, "the directory contains results of another kind");
  }
}

void Results::open() {
  check_kind();
  std::error_code error;
  fs::create_directories(path("logs"), error);
  if (error) fail(directory_, fmt::format("cannot be a directory of results: {}", error.message()));
  lock_.emplace(directory_);
}

void Results::read(const std::function<bool(const std::string& run)>& again) {
  check_schema(directory_);
  if (!CsvReader(table()).next()) {  // a sweep killed in begin_anew() has not created all files
    for (const TableFile& other : tables_) {
      if (file_exists(path(other.name))) continue;
      replace_file(path(other.name), csv_line(names_of(other.columns)));
    }
  }
  check_columns(directory_, tables_);
  CsvReader reader(table());
  while (reader.next()) {
    const CsvRow row = reader.row();
    const auto run = hash_from(row["run"]);
    const auto invocation = parse<int>(row["invocation"]);
    if (!run || !invocation) fail_in_row(row, "no fingerprint of a task, or no invocation");
    if (row["status"] != "ok" && again(row["run"])) continue;
    if (!runs_.insert(*run).second) fail_in_row(row, "duplicate row of a task");
    invocations_.insert(*invocation);
  }
}

bool Results::has(const std::string& run) const { return runs_.contains(hash_from(run).value()); }

void Results::begin_anew(const std::set<std::string>& kept) {
  runs_.clear();
  invocations_.clear();
  // Tables come first, so that no reader finds rows whose other files are gone.
  for (const TableFile& table : tables_) {
    replace_file(path(table.name), csv_line(names_of(table.columns)));
  }
  const auto is_of_a_task = [](const fs::path& file) {
    return hash_from(file.filename().string().substr(0, 16)).has_value();
  };
  for (const char* folder : {"logs", "places", "draws"}) {
    std::error_code nothing_there;
    for (const auto& entry : fs::directory_iterator(path(folder), nothing_there)) {
      if (is_of_a_task(entry.path()) && !kept.contains(entry.path().string())) {
        fs::remove_all(entry.path());
      }
    }
  }
  fs::remove(path(provenance_file));
}

void Results::resume() {
  std::error_code nothing_there;
  for (const auto& entry : fs::directory_iterator(path("draws"), nothing_there)) {
    const auto run = hash_from(entry.path().filename().string());
    if (run && !runs_.contains(*run)) fs::remove_all(entry.path());
  }
  for (const TableFile& table : tables_) {
    CsvReader reader(path(table.name));
    Draft draft(path(table.name));
    bool whole = true;
    draft.write(csv_line(reader.columns()));
    while (reader.next()) {
      const auto run = hash_from(reader.row()["run"]);
      const bool kept = run && runs_.contains(*run);
      if (kept) draft.write(reader.text());
      whole &= kept;
    }
    if (whole && reader.torn() == 0) continue;
    draft.finish();
    draft.install();
  }
}

void Results::add_provenance(const std::string& document) const {
  const std::string file = path(provenance_file);
  replace_file(file, read_file(file).value_or("") + document);
}

void Results::add(const Record& record) {
  const std::vector<std::string> lines = lines_of(record, columns_);
  std::vector<std::uintmax_t> sizes;
  for (const TableFile& table : tables_) sizes.push_back(fs::file_size(path(table.name)));
  const std::string run = fingerprint(record.task);
  try {
    for (const DrawsFile& file : draws_files(record)) {
      fs::create_directories(path("draws/" + run));
      replace_file(draws_path(directory_, run, file.chain), file.text);
    }
    for (std::size_t i = tables_.size(); i-- > 0;) {
      if (!lines[i].empty()) append_whole(path(tables_[i].name), lines[i]);
    }
  } catch (const std::runtime_error&) {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      std::error_code ignored;  // rows that remain are void
      fs::resize_file(path(tables_[i].name), sizes[i], ignored);
    }
    std::error_code ignored;
    fs::remove_all(path("draws/" + run), ignored);
    throw;
  }
}

void Results::keep(const PlaceFile& place) const {
  const std::string file = path(place.name());
  if (place.placement.empty() || file_exists(file)) return;
  fs::create_directories(path("places"));
  replace_file(file, place.text);
}

}  // namespace regroup
