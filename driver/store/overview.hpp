// SPDX-License-Identifier: BSD-3-Clause
//
// `regroup table --by`: runs combined by some of their parameters.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "driver/store/record.hpp"

namespace regroup {

/// Prints a row for each combination of values of `keys`: median and maximum, over all runs that
/// meet `where`, of the makespan divided by the bound and by the makespan of balancer `none`.
/// Throws UserError.
void print_overview(const std::string& directory, const std::string& format,
                    const std::vector<std::string>& keys, const Where& where,
                    const Catalog& catalog);

/// Prints an overview by workload and balancer instead of a table with `rows` rows, which is too
/// long for people, and the commands that print all rows or a part of them.
void print_overview_instead(std::size_t rows, const std::string& directory,
                            const std::string& format, const Where& where, const Catalog& catalog);

}  // namespace regroup
