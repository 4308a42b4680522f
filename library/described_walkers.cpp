// SPDX-License-Identifier: BSD-3-Clause
#include "library/described_walkers.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "library/refuse.hpp"

namespace regroup {
namespace {

using nlohmann::json;

/// Creates the parts of rows from JSON. The catalog owns their texts.
class RowMaker {
 public:
  explicit RowMaker(Catalog& catalog) : catalog_(catalog) {}

  std::string_view text(const json& value) {
    return catalog_.owned_texts.emplace_back(value.get<std::string>());
  }

  std::span<const std::string_view> words(const json& values) {
    std::vector<std::string_view>& all = catalog_.owned_words.emplace_back();
    for (const json& value : values) all.push_back(text(value));
    return all;
  }

  std::span<const OptionSpec> options(const json& values) {
    std::vector<OptionSpec>& all = catalog_.owned_options.emplace_back();
    for (const json& value : values) all.push_back(option(value));
    return all;
  }

 private:
  OptionSpec option(const json& value) {
    const std::string_view name = text(value.at("name"));
    const std::string_view help = text(value.at("help"));
    const std::string_view fallback = text(value.at("default"));
    const std::string type = value.at("type");
    if (type == "file") return file_option(name, help);
    if (type == "choice") return choice_option(name, fallback, words(value.at("words")), help);
    const auto make = type == "integer" ? integer_option : real_option;
    OptionSpec option = make(name, fallback, value.at("min"), value.at("max"), help);
    if (!fallback.empty() && complaint(option, fallback).empty()) {
      option.fallback = catalog_.owned_texts.emplace_back(canonical(option, fallback));
    }
    return option;
  }

  Catalog& catalog_;
};

}  // namespace

void add_described(Catalog& catalog, const std::string& text, const DescribedWalkers& walkers) {
  RowMaker rows(catalog);
  try {
    const json document = json::parse(text);
    const std::string_view file = rows.text(document.at("file"));
    for (const json& described : document.at("walkers")) {
      const std::string name = described.at("name");
      WalkerEntry row;
      row.name = rows.text(described.at("name"));
      row.help = rows.text(described.at("help"));
      row.options = rows.options(described.at("options"));
      row.make = [name, make = walkers.make](const Options& options, ChainName chain) {
        return make(name, options, chain);
      };
      row.state_bytes = [name, bytes = walkers.state_bytes](const Options& options) {
        return std::max<std::int64_t>(1, bytes(name, options));
      };
      row.smpi = false;
      row.timed = false;
      row.quantities = rows.words(described.at("observed"));
      row.open_end = described.at("open_end");
      row.warm_up_option = rows.text(described.at("warm_up_option"));
      row.reproducible = described.at("reproducible");
      row.python = file;
      catalog.walkers.push_back(std::move(row));
    }
  } catch (const json::exception& error) {
    refuse("the description of walkers cannot be read: {}", error.what());
  }
}

}  // namespace regroup
