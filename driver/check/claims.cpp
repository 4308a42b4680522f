// SPDX-License-Identifier: BSD-3-Clause
#include "driver/check/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "kernel/files/schema.hpp"

namespace regroup {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Told& told) {
  if (told.text.empty()) return nullptr;
  Json json{{"text", told.text}};
  for (const auto& [name, number] : told.numbers) json[name] = number;
  return json;
}

}  // namespace

void Judge::head(std::string_view how) const {
  if (!prints_) return;
  fmt::print(
      "Noncollective Communicator Creation in MPI (Dinan et al., EuroMPI 2011), {}\n\n"
      "  {:<38} {:<26} {:<34} {}\n",
      how, "claim", "paper", "ours", "verdict");
}

void Judge::title(std::string_view text) {
  title_ = text;
  if (prints_) fmt::print("\n{}\n", text);
}

void Judge::tell(std::string_view what, const Told& paper, const Told& ours,
                 std::string_view remark) {
  add({title_, std::string(what), paper, ours, Verdict::none, std::string(remark)});
}

void Judge::claim(std::string_view what, const Told& paper, const Told& ours, bool is_met,
                  std::string_view met, std::string_view why) {
  add({title_, std::string(what), paper, ours, is_met ? Verdict::met : Verdict::missed,
       std::string(is_met ? met : why)});
}

void Judge::add(Claim claim) {
  if (prints_) {
    const bool missed = claim.verdict == Verdict::missed;
    fmt::print("  {:<38} {:<26} {:<34} {}{}{}\n", claim.what, claim.paper.text, claim.ours.text,
               missed ? "MISSED" : "", missed && !claim.explanation.empty() ? ": " : "",
               claim.explanation);
  }
  claims_.push_back(std::move(claim));
}

bool Judge::missed() const {
  return std::ranges::find(claims_, Verdict::missed, &Claim::verdict) != claims_.end();
}

std::string Judge::as_json() const {
  constexpr std::array<std::string_view, 3> verdicts{"met", "missed", "not judged"};
  Json claims = Json::array();
  for (const Claim& claim : claims_) {
    claims.push_back({{"about", claim.about},
                      {"claim", claim.what},
                      {"paper", json_of(claim.paper)},
                      {"ours", json_of(claim.ours)},
                      {"verdict", verdicts.at(static_cast<std::size_t>(claim.verdict))},
                      {"explanation", claim.explanation}});
  }
  return Json{{"schema", schema}, {"missed", missed()}, {"claims", claims}}.dump(1) + "\n";
}

}  // namespace regroup
