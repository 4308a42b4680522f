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
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>

#include "driver/config/reader.hpp"
#include "driver/store/inventory.hpp"
#include "driver/store/result_files.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/files.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"

namespace regroup {
namespace {

using namespace std::chrono_literals;

/// What tells a process from all others: host, boot_id, pid_namespace, pid, started and date; in a
/// job of Slurm also the job, and how often it had been requeued.
using Holder = std::map<std::string, std::string>;

std::string first_line(const std::string& path) {
  const std::optional<std::string> text = read_file(path);
  return text ? text->substr(0, text->find('\n')) : "";
}

/// When the process `pid` of our own namespace was started, in clock ticks after the boot; nothing
/// where there is no such process, or none that still runs.
std::string start_of(const std::string& pid) {
  const std::string stat = first_line("/proc/" + pid + "/stat");
  // The second field, the program's name, stands in parentheses and may hold anything.
  const std::size_t name_end = stat.rfind(')');
  if (name_end == stat.npos) return {};
  std::istringstream fields(stat.substr(name_end + 1));
  std::string state;
  std::string field;
  fields >> state;
  for (int i = 4; i <= 22; ++i) fields >> field;
  return state == "Z" || state == "X" ? "" : field;
}

std::string pid_namespace() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/ns/pid", none).string();
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Holder ourselves() {
  utsname system{};
  uname(&system);
  const std::string pid = std::to_string(getpid());
  Holder us{{"host", system.nodename},
            {"boot_id", first_line("/proc/sys/kernel/random/boot_id")},
            {"pid_namespace", pid_namespace()},
            {"pid", pid},
            {"started", start_of(pid)},
            {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))}};
  if (const std::string job = variable("SLURM_JOB_ID"); !job.empty()) {
    us["job"] = variable("SLURM_CLUSTER_NAME") + " " + job;
    const std::string restarts = variable("SLURM_RESTART_COUNT");  // not set at the first start
    us["restarts"] = restarts.empty() ? "0" : restarts;
  }
  return us;
}

/// Slurm starts a job again only after it has ended the one before, wherever that was.
bool is_of_our_job_before_its_restart(const Holder& holder, const Holder& us) {
  if (!us.contains("job") || !holder.contains("job") || !holder.contains("restarts")) return false;
  const auto before = parse<int>(holder.at("restarts"));
  const auto now = parse<int>(us.at("restarts"));
  return holder.at("job") == us.at("job") && before && now && *before < *now;
}

/// Only a process of the same boot and the same namespace can be looked for.
bool is_dead(const Holder& holder) {
  const Holder us = ourselves();
  if (is_of_our_job_before_its_restart(holder, us)) return true;
  for (const char* key : {"boot_id", "pid_namespace", "pid", "started"}) {
    if (!holder.contains(key) || us.at(key).empty()) return false;
  }
  return holder.at("boot_id") == us.at("boot_id") &&
         holder.at("pid_namespace") == us.at("pid_namespace") &&
         start_of(holder.at("pid")) != holder.at("started");
}

std::string yaml(const Holder& holder) {
  constexpr auto replace = nlohmann::json::error_handler_t::replace;
  std::string text;
  for (const auto& [key, value] : holder) {
    text += fmt::format("{}: {}\n", key, nlohmann::json(value).dump(-1, ' ', false, replace));
  }
  return text;
}

Holder holder_in(const std::string& path) {
  Holder holder;
  try {
    for (const auto& [key, value] : config_root(text_of({path}), path).pairs)
      holder[key.text] = value.text;
  } catch (const UserError&) {
    // It tells nothing, then.
  }
  return holder;
}

std::string described(const Holder& holder) {
  const auto of = [&](const char* key) {
    const auto found = holder.find(key);
    return one_line(found == holder.end() ? "?" : found->second);
  };
  return fmt::format("process {} on {}, since {}", of("pid"), of("host"), of("date"));
}

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw UserError(fmt::format("{}: {}; name another directory with --out", path, why));
}

/// An open file that is closed in the end.
class File {
 public:
  File(const std::string& path, int flags) : number_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~File() {
    if (number_ >= 0) close(number_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int number() const { return number_; }

  /// Whether `text` is all that is in it now.
  bool replace_by(const std::string& text) const {
    return pwrite(number_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()) &&
           ftruncate(number_, static_cast<off_t>(text.size())) == 0;
  }

  /// Whether it is still the one that stands at `path`.
  bool is_at(const std::string& path) const {
    struct stat here {};
    struct stat there {};
    return fstat(number_, &here) == 0 && lstat(path.c_str(), &there) == 0 &&
           here.st_ino == there.st_ino && here.st_dev == there.st_dev;
  }

 private:
  int number_;
};

enum class Taken { yes, no, unknown };

/// Takes the lock over where that is right. Answers `no` where it went away meanwhile, `unknown`
/// where its holder has not written yet who it is.
Taken take_over(const std::string& path, const std::string& content, bool force) {
  const File file(path, O_RDWR | O_NOFOLLOW);
  if (file.number() < 0 && errno == ENOENT) return Taken::no;
  if (file.number() < 0) fail(path, std::strerror(errno));
  // Of two that find the same dead holder, one takes over. Not all file systems can do that.
  const bool alone = flock(file.number(), LOCK_EX) == 0;
  if (!file.is_at(path)) return Taken::no;
  const Holder holder = holder_in(path);
  if (holder.empty() && !force) return Taken::unknown;
  const bool dead = alone && is_dead(holder);
  if (!dead && !force) {
    throw UserError(fmt::format(
        "{}: a sweep is at work there: {}; wait for its end, or name another directory with "
        "--out. If it is gone for sure, --break-lock takes over",
        path, described(holder)));
  }
  if (!file.replace_by(content)) fail(path, std::strerror(errno));
  // Its holder may have removed it in an orderly way before it ended; then it may be another's now.
  if (!file.is_at(path)) return Taken::no;
  print_error(fmt::format("{}: taken over from {}{}", path, described(holder),
                          dead ? ", which is no more" : ""));
  return Taken::yes;
}

}  // namespace

Lock::Lock(const std::string& directory, bool force)
    : path_(directory + "/lock"), content_(yaml(ourselves())) {
  for (int attempt = 0; attempt < 50; ++attempt) {
    const File file(path_, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    if (file.number() >= 0) {
      if (file.replace_by(content_)) return;
      const int error = errno;
      unlink(path_.c_str());
      fail(path_, std::strerror(error));
    }
    if (errno != EEXIST) fail(path_, std::strerror(errno));
    const Taken taken = take_over(path_, content_, force);
    if (taken == Taken::yes) {
      taken_over_ = true;
      return;
    }
    if (taken == Taken::unknown) std::this_thread::sleep_for(20ms);
  }
  throw UserError(fmt::format(
      "{}: tells nobody who holds it. If no sweep is at work there, --break-lock takes over",
      path_));
}

Held held(const std::string& directory) {
  const std::string path = directory + "/lock";
  if (!std::filesystem::exists(path)) return {};
  const Holder holder = holder_in(path);
  return is_dead(holder) ? Held{"", true} : Held{described(holder), false};
}

Lock::~Lock() {
  if (read_file(path_) == content_) unlink(path_.c_str());  // else somebody broke it
}

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
      print_error(fmt::format("{} loses {}; as it was: {}", file, loss, keep_copy(file)));
    }
    draft.install();
  }
  remove_drafts();
  if (const std::size_t damaged = found_ ? found_->damaged() : 0) {
    print_error(
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
  if (!file_exists(path(file))) {
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
    if (dynamic_cast<const FileChanged*>(&error) != nullptr) checksums_.give_up();
    throw;
  }
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    sizes_[i] += all[i].size();
    checksums_.grew(tables_[i].name, all[i]);
  }
  checksums_.write(true);
}

std::vector<std::string> made_of_results(const std::string& directory) {
  constexpr std::array<std::string_view, 4> endings{".html", ".pdf", ".png", ".svg"};
  std::vector<std::string> names;
  std::error_code nothing_there;
  for (const auto& entry : std::filesystem::directory_iterator(directory, nothing_there)) {
    const std::string name = entry.path().filename();
    const std::string ending = entry.path().extension();
    if (name == "table.txt" || std::ranges::count(endings, ending) > 0) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace regroup
