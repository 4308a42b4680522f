// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace regroup {

/// Keeps a second sweep out of a directory of results, on shared file systems, too: a file `lock`
/// that is created exclusively and tells who holds it. It goes away with this object.
class Lock {
 public:
  /// A lock whose holder is provably dead is taken over, and so is any lock where `force` asks for
  /// it; both are said. Throws UserError where it is held, or where it cannot be written.
  Lock(const std::string& directory, bool force);
  ~Lock();

  /// Whether it was taken over: then the sweep that held it was killed, or is.
  bool taken_over() const { return taken_over_; }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  std::string path_;
  std::string content_;
  bool taken_over_ = false;
};

/// Who holds the lock of a directory that is only read, in words; nothing where nobody does.
/// `killed`: whether there is a lock all the same, of a sweep that is provably no more.
struct Held {
  std::string by;
  bool killed = false;
};
Held held(const std::string& directory);

}  // namespace regroup
