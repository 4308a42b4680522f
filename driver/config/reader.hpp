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

/// A configuration: a file, or what was in the file, with `changes`: "KEY=VALUE", where VALUE is
/// YAML on one line. New keys are added at its end; other keys keep their lines and comments.
struct ConfigSource {
  ConfigSource(std::string file, std::vector<std::string> other = {})
      : path(std::move(file)), changes(std::move(other)) {}
  ConfigSource(std::string file, std::string content)
      : path(std::move(file)), text(std::move(content)) {}

  std::string path;
  std::optional<std::string> text;   ///< nothing: what is in the file now
  std::vector<std::string> changes;  ///< made to it
};

/// The configuration as plain text. Throws UserError with file and line where it is no plain text
/// or too large, and where a change cannot be made.
std::string text_of(const ConfigSource& source);

/// The YAML document that `text` from `path` is. Throws UserError with file and line.
ConfigNode config_root(const std::string& text, const std::string& path);

/// Those lines of `text`, a configuration from `path`, that belong to `keys`.
std::string lines_of_keys(const std::string& text, const std::string& path,
                          const std::set<std::string>& keys);

/// How the scheduler of the current job starts ranks on its hosts.
struct JobLauncher {
  std::string command;     ///< starts {ranks} ranks; empty: there is no job
  std::string placed;      ///< … with {ranks_per_node} of them on each of {nodes}
  std::string overcommit;  ///< option that both need where ranks outnumber processors
  int processors = 0;      ///< of the job; 0: not known
  int least_on_a_host = 0;
};

/// What every configuration says, whatever it is that is executed.
struct Configuration {
  std::string name;  ///< of the experiment
  std::string file;
  std::string text;                  ///< what was in the file, with `changes` in it
  std::vector<std::string> changes;  ///< "KEY=VALUE", of --set
  std::string launcher;              ///< command that starts {ranks} ranks; empty: the default
  int launcher_line = 0;             ///< where it stands in the file
  int ranks_per_node_line = 0;       ///< likewise; 0: it is not there
  JobLauncher job_launcher;          ///< the default in a job of several hosts (settle.hpp)
  std::string program;               ///< of the ranks, as they see it; empty: our own
  double start_timeout_s = 300;      ///< in which the ranks of a task must have started together
  double end_timeout_s = 30;         ///< in which they must have ended when their outcome is there
  std::map<std::string, std::string> environment;  ///< set for the processes, besides one's own
  std::string events = "auto";                     ///< that runs write (event_detail.hpp)
  std::string sweep_order{as_written};             ///< (sweep_order.hpp)
  Repetitions repetitions;                         ///< of each run
  bool has_item_ms = false;                        ///< whether it gives item_ms
};

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

/// Which value of a list in the configuration something has.
struct Listed {
  std::string name;  ///< of the key or option
  std::size_t index = 0;
  std::size_t length = 1;
  int line = 0;  ///< of the list
};

/// One combination of the values that an entry's options have.
struct Combination {
  Choice choice;
  std::vector<Listed> listed;  ///< its place in the lists of options that are given
};

/// The most runs, or measurements, that one configuration may span.
inline constexpr std::size_t most_combinations = 1'000'000;

/// Reads values from a configuration. Every mistake throws UserError with one message that names
/// the line, what is wrong and what is allowed.
class ConfigReader {
 public:
  using Values = std::vector<std::string>;

  explicit ConfigReader(const ConfigSource& source);

  const std::string& path() const { return path_; }
  const ConfigNode& root() const { return root_; }

  [[noreturn]] void fail(const ConfigNode& node, const std::string& wrong,
                         const std::string& allowed) const;

  /// … in the value of the key, or where the whole is wrong because it is missing.
  [[noreturn]] void fail(std::string_view key, const std::string& wrong,
                         const std::string& allowed) const;

  /// The value of `key`, or nullptr; in the configuration itself without a `map`.
  static const ConfigNode* find(const ConfigNode& map, std::string_view key);
  const ConfigNode* find(std::string_view key) const { return find(root_, key); }

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

  /// Every combination of the options of `entry` that `node`, a map or nullptr, spans. The first
  /// option varies fastest.
  std::vector<Combination> combinations(const Entry& entry, const ConfigNode* node,
                                        const ConfigNode& owner) const;

  /// The names of the options of `entry`, behind those in `also`.
  static Values option_names(const Entry& entry, Values also);

  /// `NAME`, `{kind: NAME, options…}`, or a list of such.
  std::vector<Combination> kinds(const ConfigNode* node, std::string_view what,
                                 const Entries& entries, std::string_view fallback) const;

  /// Files are named as seen from the configuration; this is `file` as seen from here.
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
