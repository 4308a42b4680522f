// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "driver/config/reader.hpp"
#include "library/task.hpp"
#include "regroup/catalog.hpp"

namespace regroup {

/// An item of the key `exclude`: combinations that a sweep omits.
class Exclusion {
 public:
  /// `item` is a map of parameters, or options, and their values. Throws UserError with FILE:LINE.
  Exclusion(const ConfigReader& reader, const ConfigNode& item, const Catalog& catalog,
            const MeasurementKind* measured);

  /// Returns whether `task` has one of the given values of each name.
  bool matches(const Task& task) const;

  /// The axes that matches() depends on.
  const std::vector<std::string_view>& keys() const { return keys_; }

 private:
  using Condition = std::function<bool(const Task& task)>;

  Condition condition(const ConfigReader& reader, const std::string& name,
                      const ConfigNode& name_node, const ConfigNode& values, const Catalog& catalog,
                      const MeasurementKind* measured);

  std::vector<Condition> conditions_;
  std::vector<std::string_view> keys_;
};

ConfigKey exclude_key();

}  // namespace regroup
