// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace regroup {

/// Tags of the engine's messages. The rest of a letter is sent with the tag of the letter + 1.
enum Tag : int {
  tag_leaders = 1,
  tag_orders = 3,
  tag_loads = 5,
  tag_clock,
  tag_communicator,
  tag_contact,
  tag_state,
  tag_result,
  tag_recovery,
  tag_done,
  tag_end  ///< larger than all tags
};

}  // namespace regroup
