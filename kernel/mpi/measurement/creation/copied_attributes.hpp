// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <vector>

namespace regroup {

/// So many attributes of `comm`, which go to its copies: what the libraries of a program keep on a
/// communicator. They are gone with this object. Source: MPI 4.1, section 7.7.2.
class CopiedAttributes {
 public:
  CopiedAttributes(MPI_Comm comm, int number) : comm_(comm) {
    for (int i = 0; i < number; ++i) {
      int key = MPI_KEYVAL_INVALID;
      MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
      MPI_Comm_set_attr(comm, key, this);
      keys_.push_back(key);
    }
  }
  CopiedAttributes(const CopiedAttributes&) = delete;
  CopiedAttributes& operator=(const CopiedAttributes&) = delete;
  ~CopiedAttributes() {
    for (int key : keys_) {
      MPI_Comm_delete_attr(comm_, key);
      MPI_Comm_free_keyval(&key);
    }
  }

 private:
  static int copy(MPI_Comm, int, void*, void* value, void* new_value, int* copied) {
    *static_cast<void**>(new_value) = value;
    *copied = 1;
    return MPI_SUCCESS;
  }

  MPI_Comm comm_;
  std::vector<int> keys_;
};

}  // namespace regroup
