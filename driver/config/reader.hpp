// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/config/repetitions.hpp"
#include "kernel/files/yaml.hpp"
#include "library/task.hpp"
#include "regroup/options.hpp"

namespace regroup {

/// A configuration: a file, or a copy of its text, with `changes`: "KEY=VALUE", where VALUE is
/// YAML on one line. New keys are added at its end; other keys keep their lines and comments.
struct ConfigSource {
  ConfigSource(std::string file, std::vector<std::string> other = {})
      : path(std::move(file)), changes(std::move(other)) {}
  ConfigSource(std::string file, std::string content)
      : path(std::move(file)), text(std::move(content)) {}

  std::string path;
  std::optional<std::string> text;   ///< nullopt: the current text of the file
  std::vector<std::string> changes;  ///< applied to the text
};

/// Returns the text of a configuration. Throws UserError with file and line if it is not plain text
/// or too large, or if a change is not possible.
std::string text_of(const ConfigSource& source);

/// Parses `text` of the file `path` as one YAML document. Throws UserError with file and line.
ConfigNode config_root(const std::string& text, const std::string& path);

/// Returns the lines of `text`, a configuration from `path`, that belong to `keys`.
std::string lines_of_keys(const std::string& text, const std::string& path,
                          const std::set<std::string>& keys);

/// The commands by which the scheduler of the current job starts ranks on its hosts.
struct JobLauncher {
  std::string command;     ///< starts {ranks} ranks; empty: there is no job
  std::string placed;      ///< starts {ranks_per_node} ranks on each of {nodes} nodes
  std::string overcommit;  ///< option that both need if ranks outnumber processors
  int processors = 0;      ///< of the job; 0: unknown
  int least_on_a_host = 0;
};

/// The keys that all configurations share.
struct Configuration {
  std::string name;  ///< of the experiment
  std::string file;
  std::string text;                  ///< of the file, with `changes` applied
  std::vector<std::string> changes;  ///< "KEY=VALUE", of --set
  std::string launcher;              ///< command that starts {ranks} ranks; empty: the default
  int launcher_line = 0;             ///< of the key in the file; 0: not given
  int ranks_per_node_line = 0;       ///< of the key in the file; 0: not given
  JobLauncher job_launcher;          ///< the default in a job of several hosts (allocation.hpp)
  std::string program;               ///< path as seen by the ranks; empty: our own
  double start_timeout_s = 300;      ///< limit for the start of all ranks
  double end_timeout_s = 30;         ///< grace period after the result is written
  std::map<std::string, std::string> environment;  ///< added for the processes
  std::string events = "auto";                     ///< that runs write (see events_key)
  std::string sweep_order{as_written};             ///< see order_of_runs_key
  Repetitions repetitions;                         ///< of each run
  bool has_item_ms = false;                        ///< whether item_ms is given
};

/// Lists the names of `entries`: "none | collective | asynchronous".
std::string names(const Entries& entries);

/// A key of a configuration, as documented for users.
struct ConfigKey {
  std::string name;
  std::string allowed;
  std::string fallback;  ///< a value, or a description; empty: must be given
  std::string help;
  bool list = false;  ///< whether a list of values is allowed

  static ConfigKey of(const OptionSpec& spec, bool list = true);
};

std::vector<std::string> names_of(const std::vector<ConfigKey>& keys);

/// The position of a value in a list of the configuration.
struct Listed {
  std::string name;  ///< of the key or option
  std::size_t index = 0;
  std::size_t length = 1;
  int line = 0;  ///< of the list
};

/// One combination of values of the options of an entry.
struct Combination {
  Choice choice;
  std::vector<Listed> listed;  ///< its positions in the lists that are given
};

/// The maximum number of combinations of one configuration.
inline constexpr std::size_t most_combinations = 1'000'000;

/// Reads values from a configuration. Every error throws UserError, whose message contains the
/// line, the error and the allowed values.
class ConfigReader {
 public:
  using Values = std::vector<std::string>;

  explicit ConfigReader(const ConfigSource& source);

  const std::string& path() const { return path_; }
  const ConfigNode& root() const { return root_; }

  [[noreturn]] void fail(const ConfigNode& node, const std::string& wrong,
                         const std::string& allowed) const;

  /// Reports an error in the value of `key`, or in the whole configuration if the key is missing.
  [[noreturn]] void fail(std::string_view key, const std::string& wrong,
                         const std::string& allowed) const;

  /// Returns the value of `key` in `map`, by default the configuration itself, or nullptr.
  static const ConfigNode* find(const ConfigNode& map, std::string_view key);
  const ConfigNode* find(std::string_view key) const { return find(root_, key); }

  /// Checks that `node` is a map without duplicate keys and with keys in `allowed` only.
  void check_keys(const ConfigNode& node, std::string_view what, const Values& allowed) const;

  /// Reads the keys that ConfigReader::configuration_keys() lists.
  Configuration configuration() const;
  static std::vector<ConfigKey> configuration_keys();

  /// Returns the value of the key `spec.name`, which must not be a list of several values.
  std::string value(const OptionSpec& spec) const;

  /// Returns the values of a parameter: a scalar, or a list of scalars. `wrong` returns the error
  /// in a value, or an empty text; it may normalise the value.
  Values values(const ConfigNode& node, std::string_view name, const std::string& allowed,
                const std::function<std::string(std::string&)>& wrong) const;

  /// Returns values allowed by `spec`; its fallback without a `node`, which `owner` would contain.
  Values values(const ConfigNode* node, const OptionSpec& spec, const ConfigNode& owner) const;

  /// Returns values that are names of `entries`; `fallback` without a `node`.
  Values values(const ConfigNode* node, std::string_view name, const Entries& entries,
                std::string_view fallback) const;

  /// Returns all combinations of the option values of `entry` in `node`, a map or nullptr. The
  /// first option varies fastest.
  std::vector<Combination> combinations(const Entry& entry, const ConfigNode* node,
                                        const ConfigNode& owner) const;

  /// Returns `also`, followed by the names of the options of `entry`.
  static Values option_names(const Entry& entry, Values also);

  /// Reads `NAME`, `{kind: NAME, options…}`, or a list of these.
  std::vector<Combination> kinds(const ConfigNode* node, std::string_view what,
                                 const Entries& entries, std::string_view fallback) const;

  /// Converts the path `file`, relative to the configuration, to one relative to this process.
  std::string beside_configuration(const std::string& file) const;

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
