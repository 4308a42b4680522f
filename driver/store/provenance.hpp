// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "driver/config/reader.hpp"
#include "driver/store/results.hpp"

namespace regroup {

/// `text` as a string of JSON, which is one of YAML, too.
std::string in_json(const std::string& text);

/// The document of this invocation.
std::string provenance(const Configuration& configuration, const std::string& launcher,
                       const std::string& command, int invocation);

/// What results of an invocation depend on beside the parameters in their rows: names and values.
using Circumstances = std::map<std::string, std::string>;

/// A document of provenance.yaml, which has one for each invocation that added results.
struct ProvenanceDocument {
  int invocation = 0;
  int line = 1;
  std::string text;                           ///< from the line "---" on
  std::map<std::string, std::string> values;  ///< plain ones, by their keys
  Circumstances circumstances;
};

/// Those in `text`, the content of the file `path`. Throws UserError, with the line, where it is
/// not what provenance() writes.
std::vector<ProvenanceDocument> documents_in(const std::string& text, const std::string& path);

/// Those of a directory of results. Throws UserError where it has no provenance.yaml.
std::vector<ProvenanceDocument> read_documents(const std::string& directory);

/// The circumstances of each invocation; nothing where there is no provenance.yaml.
std::map<int, Circumstances> read_circumstances(const std::string& directory);

/// For each invocation `used` how its circumstances differ from those of the others, in words;
/// nothing where all agree. Unknown ones differ from all others.
std::map<int, std::string> differences(const std::map<int, Circumstances>& known,
                                       const std::set<int>& used);

/// Throws UserError where `results` have rows of invocations whose circumstances, which are `known`
/// as far as they are, differ from `ours`, those of the invocation `own`.
void check_circumstances(const Results& results, const std::map<int, Circumstances>& known,
                         const Circumstances& ours, int own);

}  // namespace regroup
