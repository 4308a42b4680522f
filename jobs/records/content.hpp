// SPDX-License-Identifier: BSD-3-Clause
//
// What stands in the cells of a column of results.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/options.hpp"

namespace regroup {

struct Content {
  enum class Type { integer, number, text, choice, yes_no, time };
  Type type = Type::text;
  bool may_be_empty = false;
  std::vector<std::string> words = {};  ///< that a choice has
};

/// A column says it by one of these: `number`, `maybe(integer)`, `one_of({"parent", "group"})`.
namespace content {
inline const Content integer{Content::Type::integer};
inline const Content number{Content::Type::number};
inline const Content text{Content::Type::text};
inline const Content yes_no{Content::Type::yes_no};
inline const Content utc_time{Content::Type::time};
Content one_of(std::vector<std::string> words);
Content maybe(Content content);
}  // namespace content

/// That of an option's values.
Content content_of(const OptionSpec& spec);

/// Of cells that are like those of `one` or like those of `other`.
Content either(const Content& one, const Content& other);

/// "integer", "number", "text", "choice", "yes/no", "time".
std::string_view name(Content::Type type);

/// The unit that the name of a column ends in: "s", "MB/s"; empty where it has none.
std::string_view unit_of(std::string_view column);

}  // namespace regroup
