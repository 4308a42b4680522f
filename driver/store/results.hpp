// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "driver/store/inventory.hpp"
#include "kernel/files/files.hpp"

namespace regroup {

/// Keeps a second sweep out of a directory of results, on shared file systems, too: a file `lock`
/// that is created exclusively and tells who holds it. It goes away with this object.
class Lock {
 public:
  /// A lock whose holder is provably dead is taken over, and so is any lock where `force` asks for
  /// it; both are said. Throws UserError where it is held, or where it cannot be written.
  Lock(const std::string& directory, bool force);
  ~Lock();

  /// Whether it was taken over: then the sweep that held it was killed, or is.
  bool taken_over() const { return taken_over_; }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  std::string path_;
  std::string content_;
  bool taken_over_ = false;
};

/// Who holds the lock of a directory that is only read, in words; nothing where nobody does.
/// `killed`: whether there is a lock all the same, of a sweep that is provably no more.
struct Held {
  std::string by;
  bool killed = false;
};
Held held(const std::string& directory);

/// The directory of results of one sweep: the tables of inventory.hpp, and what stands beside
/// them.
///
/// What is to change is prepared first: that may fail, and changes nothing. Then install() does it.
class Results {
 public:
  Results(std::string directory, std::vector<ResultFile> tables);

  const std::string& directory() const { return directory_; }
  std::string path(std::string_view file) const { return directory_ + "/" + std::string(file); }

  /// Makes the directory where it is not there. Throws UserError where that is not possible, and
  /// where something in it is no file of ours: symbolic links in it are not followed.
  void open_directory() const;

  bool exist() const;

  /// Prepares empty tables.
  void prepare_anew();

  /// Reads the tables that are there and prepares to make them whole again after an interruption,
  /// without those of the tasks in `again` that have to be, or with `retry` shall be, done again.
  /// `killed`: the last sweep was, and may have left more than its checksums say.
  void prepare_to_resume(bool retry, const Inventory::Chosen& again, bool killed);

  /// Files that somebody else had changed before prepare_to_resume().
  const std::vector<std::string>& changed() const { return changed_; }

  /// Prepares another file. `loss`: what it loses, in words, or nothing.
  void prepare(const std::string& file, std::string_view text, const std::string& loss);

  /// The same for one whose new content is finished.
  void prepare(Draft draft, const std::string& loss) {
    prepared_.push_back({std::move(draft), loss});
  }

  bool changes() const { return !prepared_.empty(); }

  /// Puts in place what was prepared. A copy of each file that loses something is kept, and said.
  void install();

  bool has(const std::string& run) const { return found_ && found_->has(run); }
  /// The invocations that wrote the rows that are there.
  std::set<int> invocations() const { return found_ ? found_->invocations() : std::set<int>{}; }

  /// Adds what the tables, in their order, tell of one task: all of it, or else nothing, and then
  /// it throws: std::runtime_error where a table cannot be written, or somebody else has changed or
  /// removed it. The checksums may lag behind by a second.
  void add(const std::vector<std::string>& lines, int invocation);

  /// Keeps a text that rows to come name, unless it is kept already. Its file is named by what it
  /// says (place_file.hpp), so that any such file will do. Throws like add().
  void keep(const std::string& file, std::string_view text);

  /// Brings the checksums up to date.
  void close() { checksums_.write(); }

 private:
  struct Prepared {
    Draft draft;
    std::string loss;
  };

  void remove_drafts() const;

  std::string directory_;
  std::vector<ResultFile> tables_;
  std::vector<std::uintmax_t> sizes_;  // of the tables
  std::vector<Prepared> prepared_;
  std::optional<Inventory> found_;
  std::vector<std::string> changed_;
  bool checksums_lag_ = false;  // behind files that nobody but a sweep that was killed has changed
  Checksums checksums_;
};

}  // namespace regroup
