// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "regroup/named.hpp"

namespace regroup {

/// Parses ranks such as "3" or "4-7". Throws UserError with the line.
DefinedMembers ranks_from(std::string_view text, int line, const Definitions& definitions);

/// Parses a processor "pd-01", its third process "pd-01:2", processors "pd-[08-10]" or a regular
/// expression "p[d4]-.*". A text is an expression if it contains one of [ ] ( ) { } * + ? | ^ $ \,
/// unless these are only brackets around ranges or lists of numbers. Throws UserError with the
/// line.
DefinedMembers processors_from(std::string_view text, int line, const Definitions& definitions);

/// Parses ranks if `text` contains only digits and dashes, and processors otherwise.
DefinedMembers members_from(std::string_view text, int line, const Definitions& definitions);

}  // namespace regroup

namespace re2 {
class RE2;
}

namespace regroup {

/// A regular expression of RE2, which matches whole names in linear time and memory.
class Pattern {
 public:
  explicit Pattern(const std::string& expression);
  ~Pattern();

  /// Returns the error in the expression, or an empty text if there is none.
  std::string complaint() const;

  bool matches(const std::string& name) const;

 private:
  std::unique_ptr<re2::RE2> expression_;
};

}  // namespace regroup
