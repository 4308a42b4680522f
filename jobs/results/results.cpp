// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/results/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "jobs/results/data_package.hpp"
#include "jobs/words/console.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/user_error.hpp"

namespace regroup {
namespace {

namespace fs = std::filesystem;

/// Beside the tables; those that a killed sweep may have left half written.
constexpr std::array<std::string_view, 3> companions{"provenance.yaml", data_package_file,
                                                     checksums_file};

/// Throws UserError where `path` is there, but not as a `type` of its own.
void check_type(const std::string& path, fs::file_type type) {
  std::error_code error;
  const fs::file_type found = fs::symlink_status(path, error).type();
  if (found == fs::file_type::not_found || found == type) return;
  throw UserError(fmt::format("{}: is {}; remove it, or name another directory with --out", path,
                              found == fs::file_type::symlink
                                  ? "a symbolic link, which is not followed in results"
                              : type == fs::file_type::directory ? "no directory"
                                                                 : "no regular file"));
}

}  // namespace

Results::Results(std::string directory, std::vector<ResultFile> tables)
    : directory_(std::move(directory)),
      tables_(Inventory::tables(std::move(tables))),
      sizes_(tables_.size()),
      checksums_(directory_) {}

void Results::open_directory() const {
  std::error_code error;
  fs::create_directories(directory_, error);
  if (error || !fs::is_directory(directory_)) {
    throw UserError(fmt::format("{}: cannot be a directory of results: {}; name another with --out",
                                directory_, error ? error.message() : "it is none"));
  }
  for (const ResultFile& table : tables_) check_type(path(table.name), fs::file_type::regular);
  for (const auto file : companions) check_type(path(file), fs::file_type::regular);
  check_type(path("lock"), fs::file_type::regular);
  for (const char* folder : {"logs", "places"}) check_type(path(folder), fs::file_type::directory);
  fs::create_directory(path("logs"), error);
  if (error) throw UserError(fmt::format("{}: {}", path("logs"), error.message()));
}

bool Results::exist() const {
  return std::ranges::any_of(tables_,
                             [this](const ResultFile& t) { return fs::exists(path(t.name)); });
}

void Results::prepare_anew() {
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const std::string header = csv_line(names_of(tables_[i].columns));
    std::error_code none;
    const auto size = fs::file_size(path(tables_[i].name), none);
    prepare(tables_[i].name, header, none || size == header.size() ? "" : "all that was in it");
    sizes_[i] = header.size();
  }
}

void Results::prepare_to_resume(bool retry, const Inventory::Chosen& again, bool killed) {
  std::vector<std::string> files{"provenance.yaml"};
  for (const ResultFile& table : tables_) files.push_back(table.name);
  changed_ = checksums_.changed(files, killed);
  checksums_lag_ = killed && changed_.empty();
  found_.emplace(directory_, tables_);
  found_->forget(retry, again);
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    if (!found_->changes(i)) {
      sizes_[i] = fs::file_size(path(tables_[i].name));
      continue;
    }
    Draft draft(path(tables_[i].name));
    std::string loss = found_->write(i, draft);
    draft.finish();
    sizes_[i] = draft.size();
    prepared_.push_back({std::move(draft), std::move(loss)});
  }
}

void Results::prepare(const std::string& file, std::string_view text, const std::string& loss) {
  Draft draft(path(file));
  draft.write(text);
  draft.finish();
  prepared_.push_back({std::move(draft), loss});
}

/// Those that a killed sweep left.
void Results::remove_drafts() const {
  std::error_code ignored;
  for (const ResultFile& table : tables_) fs::remove(Draft::beside(path(table.name)), ignored);
  for (const auto file : companions) fs::remove(Draft::beside(path(file)), ignored);
}

void Results::install() {
  const std::string dictionary = data_package(tables_);
  if (read_file(path(data_package_file)) != dictionary) {
    prepare(std::string(data_package_file), dictionary, "");
  }
  const bool write_checksums = !prepared_.empty() || checksums_lag_;
  if (write_checksums) checksums_.forget();
  for (auto& [draft, loss] : prepared_) {
    if (!loss.empty()) {
      const std::string file = draft.path();
      complain(fmt::format("{} loses {}; as it was: {}", file, loss, keep_copy(file)));
    }
    draft.install();
  }
  remove_drafts();
  if (const std::size_t damaged = found_ ? found_->damaged() : 0) {
    complain(
        fmt::format("{}: {} row{} lack what belongs to them in other files; it is not done again",
                    path(tables_.front().name), damaged, damaged == 1 ? "" : "s"));
  }
  for (const ResultFile& table : tables_) checksums_.reread(table.name);
  checksums_.reread("provenance.yaml");
  checksums_.reread(std::string(data_package_file));
  if (write_checksums) checksums_.write();
  prepared_.clear();
}

void Results::keep(const std::string& file, std::string_view text) {
  check_type(path(file), fs::file_type::regular);
  if (!is_there(path(file))) {
    const fs::path folder = fs::path(path(file)).parent_path();
    check_type(folder, fs::file_type::directory);
    fs::create_directory(folder);
    replace_file(path(file), text);
  }
  checksums_.came(file);
}

void Results::add(const std::vector<std::string>& lines, int invocation) {
  const std::vector<std::string> all = Inventory::lines(lines, invocation);
  std::size_t next = tables_.size();
  try {
    for (; next > 0; --next) {
      if (all[next - 1].empty()) continue;
      append_whole(path(tables_[next - 1].name), sizes_[next - 1], all[next - 1]);
    }
  } catch (const std::runtime_error& error) {
    for (; next < tables_.size(); ++next) {
      if (all[next].empty()) continue;
      std::error_code ignored;  // what is left over of the task is void
      fs::resize_file(path(tables_[next].name), sizes_[next], ignored);
    }
    if (dynamic_cast<const Meddled*>(&error) != nullptr) checksums_.give_up();
    throw;
  }
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    sizes_[i] += all[i].size();
    checksums_.grew(tables_[i].name, all[i]);
  }
  checksums_.write(true);
}

}  // namespace regroup
