// SPDX-License-Identifier: BSD-3-Clause
//
// Claims, what was found of each, and whether it was met: for people as it comes, or as JSON.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace regroup {

/// A figure in words, and the numbers in it by their names.
struct Told {
  Told(const char* words) : text(words) {}
  Told(std::string words, std::vector<std::pair<std::string, double>> values = {})
      : text(std::move(words)), numbers(std::move(values)) {}

  std::string text;
  std::vector<std::pair<std::string, double>> numbers;
};

class Judge {
 public:
  explicit Judge(bool prints) : prints_(prints) {}

  /// Above all claims: which paper's they are, and how they are tried.
  void head(std::string_view how) const;

  /// What the claims to come are about.
  void title(std::string_view text);

  /// Something that cannot be missed.
  void tell(std::string_view what, const Told& paper, const Told& ours,
            std::string_view remark = "");

  /// `met`: what is said then; `why`: what is wrong otherwise.
  void claim(std::string_view what, const Told& paper, const Told& ours, bool is_met,
             std::string_view met = "within the band", std::string_view why = "");

  bool missed() const;

  /// All of them, with the schema.
  std::string as_json() const;

 private:
  enum class Verdict { met, missed, none };
  struct Claim {
    std::string about;
    std::string what;
    Told paper;
    Told ours;
    Verdict verdict;
    std::string explanation;
  };

  void add(Claim claim);

  bool prints_;
  std::string title_;
  std::vector<Claim> claims_;
};

}  // namespace regroup
