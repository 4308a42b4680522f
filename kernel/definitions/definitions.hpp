// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/definitions/definition.hpp"

namespace regroup {

struct ConfigNode;

/// Communicators that a file defines by name, for programs that do not know the machine. YAML, or
/// the XML of the paper; which one it is its first character tells.
class Definitions {
 public:
  /// What a file can have at most.
  static constexpr std::size_t most_bytes = 4'000'000;
  static constexpr int most_levels = 32;

  /// Throws UserError with file and line where it is no such file, a name is no identifier of C,
  /// or an intercommunicator joins what it cannot.
  static Definitions read(const std::string& path);
  /// … where `text` is the content of the file `path`.
  static Definitions parse(const std::string& text, const std::string& path);
  /// … where `content`, YAML, stands in another file, the file `path`.
  static Definitions of(const ConfigNode& content, const std::string& path);

  const std::string& path() const { return path_; }
  /// A number that names the content.
  std::uint64_t hash() const { return hash_; }
  /// Every one after its parent.
  const std::vector<DefinedCommunicator>& communicators() const { return communicators_; }
  const std::vector<DefinedIntercommunicator>& intercommunicators() const {
    return intercommunicators_;
  }

  /// The places in the list of the communicators of that name, by colour; empty for nobody's.
  const std::vector<int>& named(std::string_view name) const;
  /// The intercommunicator of that name, or nullptr.
  const DefinedIntercommunicator* intercommunicator(std::string_view name) const;

  /// Whether some members are given by processors.
  bool name_processors() const;

  /// Throws UserError, which names the file and `line`.
  [[noreturn]] void fail(int line, const std::string& what) const;

  /// For readers of files, which add one after the other as they come: gives its place.
  int add(DefinedCommunicator communicator);
  void add(DefinedIntercommunicator intercommunicator);

 private:
  Definitions(std::string path, std::uint64_t hash) : path_(std::move(path)), hash_(hash) {}

  void join();
  int joined(const DefinedIntercommunicator& intercommunicator, const DefinedSide& side) const;
  void check_name(const std::string& name, int line) const;

  std::string path_;
  std::uint64_t hash_;
  std::vector<DefinedCommunicator> communicators_;
  std::vector<DefinedIntercommunicator> intercommunicators_;
  std::map<std::string, std::vector<int>, std::less<>> places_;
};

/// Reads what the file says, in the order of the file.
void read_yaml(const std::string& text, Definitions& definitions);
void read_yaml(const ConfigNode& content, Definitions& definitions);
void read_xml(const std::string& text, Definitions& definitions);

}  // namespace regroup
