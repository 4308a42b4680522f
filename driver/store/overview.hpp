// SPDX-License-Identifier: BSD-3-Clause
//
// `regroup table --by`: runs combined by some of their parameters.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "driver/store/record.hpp"

namespace regroup {

/// Prints a row for each combination of the values of `keys`: median and maximum, over all runs
/// that meet `where`, of the makespan over the bound and over that of the balancer `none`. Throws
/// UserError.
void print_overview(const std::string& directory, const std::string& format,
                    const std::vector<std::string>& keys, const Where& where,
                    const Catalog& catalog);

/// The same by workload and balancer, for people, where a table would have `rows` rows; and the
/// commands that print the rest.
void print_overview_instead(std::size_t rows, const std::string& directory,
                            const std::string& format, const Where& where, const Catalog& catalog);

}  // namespace regroup
