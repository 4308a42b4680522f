// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/configuration/choices.hpp"
#include "jobs/configuration/configuration.hpp"
#include "jobs/configuration/source.hpp"
#include "kernel/options.hpp"

namespace regroup {

/// "none | collective | asynchronous".
std::string names(const Entries& entries);

/// A key of a configuration, as those know it who write one.
struct ConfigKey {
  std::string name;
  std::string allowed;
  std::string fallback;  ///< in words where it is no value; empty: must be given
  std::string help;
  bool list = false;  ///< whether it takes a list of values, too

  static ConfigKey of(const OptionSpec& spec, bool list = true);
};

std::vector<std::string> names_of(const std::vector<ConfigKey>& keys);

/// A configuration file, and how to read values from it: every mistake throws UserError with one
/// message that names the line, what is wrong and what is allowed.
class ConfigReader {
 public:
  using Values = std::vector<std::string>;

  explicit ConfigReader(const ConfigSource& source);

  const std::string& path() const { return path_; }
  const ConfigNode& root() const { return root_; }

  [[noreturn]] void fail(const ConfigNode& node, const std::string& wrong,
                         const std::string& allowed) const;

  /// The value of `key`, or nullptr.
  static const ConfigNode* find(const ConfigNode& map, std::string_view key);

  /// Checks that `node` is a map with no key twice and none beside `allowed`.
  void check_keys(const ConfigNode& node, std::string_view what, const Values& allowed) const;

  /// What every configuration says.
  Configuration configuration() const;
  static std::vector<ConfigKey> configuration_keys();

  /// The one value of the key that `spec` is named after.
  std::string value(const OptionSpec& spec) const;

  /// The values of one scalar parameter: one, or those of a list. `wrong` answers what is wrong
  /// with a value, or nothing; it may bring the value into another form.
  Values values(const ConfigNode& node, std::string_view name, const std::string& allowed,
                const std::function<std::string(std::string&)>& wrong) const;

  /// … that `spec` allows. Without a `node` its fallback; `owner` is where it would stand.
  Values values(const ConfigNode* node, const OptionSpec& spec, const ConfigNode& owner) const;

  /// … that are names of `entries`. Without a `node` the name `fallback`.
  Values values(const ConfigNode* node, std::string_view name, const Entries& entries,
                std::string_view fallback) const;

  /// Every combination of the options of `entry` that `node`, a map or nullptr, spans.
  Choices choices(const Entry& entry, const ConfigNode* node, const ConfigNode& owner) const;

  /// The names of the options of `entry`, behind those in `also`.
  static Values option_names(const Entry& entry, Values also);

  /// `NAME`, `{kind: NAME, options…}`, or a list of such.
  Joined<Choices> kinds(const ConfigNode* node, std::string_view what, const Entries& entries,
                        std::string_view fallback) const;

  /// Files are named as seen from the configuration; this is `file` as seen from here.
  std::string beside_configuration(const std::string& file) const;

  /// Throws where `axes` span more than a sweep may have.
  void check_size(const Axes& axes, std::string_view noun) const;

 private:
  void check_text(const ConfigNode& node, std::string_view allowed) const;
  std::string place_of(const ConfigNode& node) const;
  std::string text(std::string_view key, const std::string& fallback) const;
  std::string program() const;
  std::string experiment() const;
  std::map<std::string, std::string> environment() const;

  std::string path_;
  Values changes_;
  std::string text_;
  ConfigNode root_;
};

}  // namespace regroup
