// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace regroup {

/// Which kinds of messages the engine sends; all travel apart from each other.
enum Tag : int { tag_leaders = 1, tag_orders, tag_loads, tag_clock, tag_communicator, tag_contact };

}  // namespace regroup
