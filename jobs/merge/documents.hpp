// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "jobs/records/provenance.hpp"

namespace regroup {

/// What provenance.yaml tells of one invocation.
struct Document {
  int invocation = 0;
  std::string rest;  ///< of its text, below the line with that number
  Circumstances circumstances;
  std::string configuration_file;
  std::string configuration;
  std::string configuration_hash;

  /// Its text, as the document of an invocation with another number.
  std::string text(int number) const;
};

/// The documents of a directory of results. Throws UserError where there are none, or where they
/// are not as provenance() writes them.
std::vector<Document> read_documents(const std::string& directory);

}  // namespace regroup
