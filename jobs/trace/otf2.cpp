// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <otf2/otf2.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "jobs/trace/write_trace.hpp"
#include "kernel/files/user_error.hpp"

namespace regroup {
namespace {

constexpr std::uint64_t ns = 1'000'000'000;  // in a second
constexpr std::uint64_t event_chunk = 1 << 20;
constexpr std::uint64_t definition_chunk = 4 << 20;

void expect(OTF2_ErrorCode code, const std::string& directory) {
  if (code != OTF2_SUCCESS) {
    throw std::runtime_error(fmt::format("{}: {}", directory, OTF2_Error_GetDescription(code)));
  }
}

OTF2_FlushType flush_always(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
  return OTF2_FLUSH;
}
OTF2_TimeStamp no_time(void*, OTF2_FileType, OTF2_LocationRef) { return 0; }

std::uint64_t ticks(double seconds) {
  return static_cast<std::uint64_t>(std::llround(seconds * static_cast<double>(ns)));
}

/// An archive that is being written.
class Archive {
 public:
  Archive(const TracedRun& run, const std::string& directory)
      : run_(run),
        directory_(directory),
        archive_(OTF2_Archive_Open(directory.c_str(), "trace", OTF2_FILEMODE_WRITE, event_chunk,
                                   definition_chunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE)) {
    if (archive_ == nullptr) {
      throw std::runtime_error(fmt::format("{}: no archive can be written there", directory));
    }
    static const OTF2_FlushCallbacks flush{flush_always, no_time};
    expect(OTF2_Archive_SetFlushCallbacks(archive_, &flush, nullptr), directory_);
    expect(OTF2_Archive_SetSerialCollectiveCallbacks(archive_), directory_);
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
  ~Archive() {
    if (archive_ != nullptr) OTF2_Archive_Close(archive_);
  }

  void write() {
    write_events();
    write_definitions();
    OTF2_Archive* const archive = std::exchange(archive_, nullptr);
    expect(OTF2_Archive_Close(archive), directory_);
  }

 private:
  OTF2_LocationRef location(std::size_t i) const {
    return static_cast<OTF2_LocationRef>(run_.first_rank) + i;
  }

  OTF2_RegionRef region(const Span& span) {
    const auto [found, is_new] = numbers_.try_emplace(word_of(run_, span), regions_.size());
    if (is_new) regions_.push_back(found->first);
    return static_cast<OTF2_RegionRef>(found->second);
  }

  void write_events() {
    expect(OTF2_Archive_OpenEvtFiles(archive_), directory_);
    for (std::size_t i = 0; i < run_.spans.size(); ++i) {
      OTF2_EvtWriter* const writer = OTF2_Archive_GetEvtWriter(archive_, location(i));
      if (writer == nullptr) throw std::runtime_error(directory_ + ": no file for a rank's events");
      for (const Span& span : run_.spans[i]) {
        const OTF2_RegionRef where = region(span);
        expect(OTF2_EvtWriter_Enter(writer, nullptr, ticks(span.begin_s), where), directory_);
        expect(OTF2_EvtWriter_Leave(writer, nullptr, ticks(span.end_s), where), directory_);
        last_ = std::max(last_, ticks(span.end_s));
      }
      expect(OTF2_Archive_CloseEvtWriter(archive_, writer), directory_);
    }
    expect(OTF2_Archive_CloseEvtFiles(archive_), directory_);
    expect(OTF2_Archive_OpenDefFiles(archive_), directory_);
    for (std::size_t i = 0; i < run_.spans.size(); ++i) {
      OTF2_DefWriter* const writer = OTF2_Archive_GetDefWriter(archive_, location(i));
      expect(OTF2_Archive_CloseDefWriter(archive_, writer), directory_);
    }
    expect(OTF2_Archive_CloseDefFiles(archive_), directory_);
  }

  OTF2_StringRef string(const std::string& text) {
    const auto [found, is_new] =
        strings_.try_emplace(text, static_cast<OTF2_StringRef>(strings_.size()));
    if (is_new) {
      expect(OTF2_GlobalDefWriter_WriteString(global_, found->second, text.c_str()), directory_);
    }
    return found->second;
  }

  void write_definitions() {
    global_ = OTF2_Archive_GetGlobalDefWriter(archive_);
    expect(OTF2_GlobalDefWriter_WriteClockProperties(global_, ns, 0, last_ + 1,
                                                     OTF2_UNDEFINED_TIMESTAMP),
           directory_);
    const OTF2_StringRef nothing = string("");
    for (std::size_t number = 0; number < regions_.size(); ++number) {
      const std::string& name = regions_[number];
      const OTF2_RegionRole role = name == "idle"      ? OTF2_REGION_ROLE_IMPLICIT_BARRIER
                                   : name == "forming" ? OTF2_REGION_ROLE_COLL_ALL2ALL
                                                       : OTF2_REGION_ROLE_FUNCTION;
      const OTF2_StringRef called = string(name);
      expect(OTF2_GlobalDefWriter_WriteRegion(global_, static_cast<OTF2_RegionRef>(number), called,
                                              called, nothing, role, OTF2_PARADIGM_USER,
                                              OTF2_REGION_FLAG_NONE, nothing, 0, 0),
             directory_);
    }
    const OTF2_StringRef machine = string("run " + run_.name());
    expect(OTF2_GlobalDefWriter_WriteSystemTreeNode(global_, 0, machine, string("machine"),
                                                    OTF2_UNDEFINED_SYSTEM_TREE_NODE),
           directory_);
    for (std::size_t i = 0; i < run_.spans.size(); ++i) write_location(i);
  }

  void write_location(std::size_t i) {
    const OTF2_StringRef name = string(fmt::format("rank {}", location(i)));
    expect(OTF2_GlobalDefWriter_WriteLocationGroup(
               global_, static_cast<OTF2_LocationGroupRef>(location(i)), name,
               OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP),
           directory_);
    expect(OTF2_GlobalDefWriter_WriteLocation(
               global_, location(i), name, OTF2_LOCATION_TYPE_CPU_THREAD, 2 * run_.spans[i].size(),
               static_cast<OTF2_LocationGroupRef>(location(i))),
           directory_);
  }

  const TracedRun& run_;
  const std::string& directory_;
  OTF2_Archive* archive_;
  OTF2_GlobalDefWriter* global_ = nullptr;
  std::map<std::string, std::size_t> numbers_;  // of the regions, by their names
  std::vector<std::string> regions_;
  std::map<std::string, OTF2_StringRef> strings_;
  std::uint64_t last_ = 0;
};

}  // namespace

bool has_otf2() { return true; }

void write_otf2_trace(const TracedRun& run, const std::string& directory) {
  if (std::filesystem::exists(directory)) {
    throw UserError(fmt::format("{} is there already; remove it, or give another name", directory));
  }
  Archive(run, directory).write();
}

}  // namespace regroup
