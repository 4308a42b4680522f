// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "driver/config/reader.hpp"
#include "driver/store/results.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

/// `value` in one line of JSON, which is YAML, too.
inline std::string in_yaml(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// places/PLACEMENT.yaml in a directory of results: where runs ran. A placement is the same where
// nodes, the ranks on them, what these are bound to, what else the nodes are and the MPI library
// are the same; its sixteen digits are the hash (hash.hpp) of all that the file says of these.

/// A file of a directory of results.
struct PlaceFile {
  std::string placement;  ///< empty where there is no place
  std::string text;
};
PlaceFile place_file(const Place& place);

/// The name of the file of `placement` in the directory.
std::string place_file_name(std::string_view placement);

/// Whether `name` can be one.
bool is_place_file_name(std::string_view name);

/// The placement that a file with this `text` tells of.
std::string placement_told_by(std::string_view text);

/// Where results come from: provenance.yaml has one YAML document for each invocation of the
/// command that added to them. This is the one of this invocation: its number, version, commit,
/// compiler, MPI, launcher, environment, host, cores, date, command line, and the configuration.
/// `changed`: files of the results that somebody else had changed before.
std::string provenance(const Configuration& configuration, const std::string& command,
                       int invocation, const std::vector<std::string>& changed = {});

/// What results of an invocation depend on beside the parameters in their rows: names and values.
using Circumstances = std::map<std::string, std::string>;

/// The circumstances of each invocation that `text`, the content of the file `path`, tells about.
/// Throws UserError, with the line, where it is not what provenance() writes.
std::map<int, Circumstances> circumstances_in(const std::string& text, const std::string& path);

/// Those of a directory of results; nothing where it has no provenance.yaml.
std::map<int, Circumstances> read_circumstances(const std::string& directory);

/// For each of the invocations `used` that in which its circumstances are unlike those of the
/// others, in words; nothing where all agree. Unknown ones are like no others.
std::map<int, std::string> unlike(const std::map<int, Circumstances>& known,
                                  const std::set<int>& used);

/// The same for all invocations that a directory tells about, and for the circumstances that rows
/// of its tables do not tell themselves.
class InvocationNames {
 public:
  explicit InvocationNames(const std::string& directory);

  /// What is unlike the others in the circumstances of the invocation that wrote a row, by its cell
  /// `invocation`.
  std::string of(const std::string& invocation) const;

 private:
  std::map<std::string, std::string> names_;
};

/// Throws UserError where `results` have rows of invocations whose circumstances, which are `known`
/// as far as they are, are unlike `ours`, those of the invocation `own`.
void check_circumstances(const Results& results, const std::map<int, Circumstances>& known,
                         const Circumstances& ours, int own);

}  // namespace regroup
