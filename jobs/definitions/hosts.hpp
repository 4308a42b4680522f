// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace regroup {

/// The processor of every rank, as a launcher fills hosts one after the other. `hosts`: a hostfile
/// ("pd-01", "pd-01:4" or "pd-01 slots=4" in a line) or a list ("pd-01:4,pd-02"). `ranks`: of
/// them so many; 0: as many as there are slots. Throws UserError where it is neither, or has too
/// few slots.
std::vector<std::string> processors_of(const std::string& hosts, int ranks);

}  // namespace regroup
