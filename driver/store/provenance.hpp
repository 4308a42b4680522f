// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "driver/config/reader.hpp"
#include "driver/store/results.hpp"

namespace regroup {

/// Returns `text` as a JSON string, which is also a valid YAML string.
std::string in_json(const std::string& text);

/// Returns the provenance document of this invocation, as YAML.
std::string provenance(const Configuration& configuration, const std::string& launcher,
                       const std::string& command, int invocation);

/// Names and values of the influences on results of an invocation besides the parameters in rows.
using Circumstances = std::map<std::string, std::string>;

/// A document of provenance.yaml, which has one for each invocation that added results.
struct ProvenanceDocument {
  int invocation = 0;
  int line = 1;
  std::string text;                           ///< from the line "---"
  std::map<std::string, std::string> values;  ///< texts of the scalars, by key
  Circumstances circumstances;
};

/// Parses `text`, the content of the file `path`. Throws UserError, with the line, if it is not in
/// the format of provenance().
std::vector<ProvenanceDocument> documents_in(const std::string& text, const std::string& path);

/// Reads provenance.yaml in a directory of results. Throws UserError if there is none.
std::vector<ProvenanceDocument> read_documents(const std::string& directory);

/// Returns the circumstances of each invocation; empty if there is no provenance.yaml.
std::map<int, Circumstances> read_circumstances(const std::string& directory);

/// Describes, for each invocation in `used`, how its circumstances differ from those of the others;
/// empty texts if all agree. Unknown circumstances differ from all others.
std::map<int, std::string> differences(const std::map<int, Circumstances>& known,
                                       const std::set<int>& used);

/// Throws UserError if `results` contain rows of invocations whose circumstances differ from
/// `ours`, those of the invocation `own`, or are not in `known`.
void check_circumstances(const Results& results, const std::map<int, Circumstances>& known,
                         const Circumstances& ours, int own);

}  // namespace regroup
