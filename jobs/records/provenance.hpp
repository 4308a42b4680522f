// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "jobs/configuration/configuration.hpp"

namespace regroup {

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

}  // namespace regroup
