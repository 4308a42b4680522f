// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "communicators/handles.hpp"
#include "communicators/range/parent.hpp"

namespace regroup {

class Session;

/// Where strategies form communicators: the ranks of a parent, and what strategies keep from one
/// call to the next. As of a range::Parent, every process makes one for each MPI communicator.
class Site : public range::Parent {
 public:
  using Parent::Parent;

  /// The communicators of MPI that strategies have made here.
  CommunicatorCount& communicators() { return communicators_; }

  /// The session of the strategies that need one; they open it at their first call.
  std::shared_ptr<Session>& session() { return session_; }

 private:
  CommunicatorCount communicators_;
  std::shared_ptr<Session> session_;
};

}  // namespace regroup
