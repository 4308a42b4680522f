// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

namespace re2 {
class RE2;
}

namespace regroup {

/// A regular expression that whole names match. By RE2, which takes time and memory in proportion
/// to expression and name, whatever they are.
class Pattern {
 public:
  explicit Pattern(const std::string& expression);
  Pattern(Pattern&&) noexcept;
  ~Pattern();

  /// What is wrong with the expression; empty where nothing is.
  std::string complaint() const;

  bool matches(const std::string& name) const;

 private:
  std::unique_ptr<re2::RE2> expression_;
};

}  // namespace regroup
