// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace regroup {

/// Which kinds of messages the engine sends; all travel apart from each other. What follows a
/// letter has the tag after its own.
enum Tag : int {
  tag_leaders = 1,
  tag_orders = 3,
  tag_loads = 5,
  tag_clock,
  tag_communicator,
  tag_contact,
  tag_state
};

}  // namespace regroup
