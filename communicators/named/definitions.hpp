// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "regroup/named.hpp"

namespace regroup {

/// Ranks: "3", or "4-7". Throws UserError with the line.
DefinedMembers ranks_from(std::string_view text, int line, const Definitions& definitions);

/// A processor "pd-01", its third process "pd-01:2", processors "pd-[08-10]", or a regular
/// expression "p[d4]-.*". A text is an expression if it contains one of [ ] ( ) { } * + ? | ^ $ \,
/// unless these are only brackets around ranges or lists of numbers. Throws UserError with the
/// line.
DefinedMembers processors_from(std::string_view text, int line, const Definitions& definitions);

/// Ranks where there are but digits and a dash, else processors.
DefinedMembers members_from(std::string_view text, int line, const Definitions& definitions);

}  // namespace regroup

namespace re2 {
class RE2;
}

namespace regroup {

/// A regular expression of RE2 that whole names match: time and memory are linear.
class Pattern {
 public:
  explicit Pattern(const std::string& expression);
  ~Pattern();

  /// What is wrong with the expression; empty where nothing is.
  std::string complaint() const;

  bool matches(const std::string& name) const;

 private:
  std::unique_ptr<re2::RE2> expression_;
};

}  // namespace regroup
