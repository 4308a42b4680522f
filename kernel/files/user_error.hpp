// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>

namespace regroup {

/// A mistake of the user's: one message, which names the place and what is allowed. Exit code 2.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace regroup
