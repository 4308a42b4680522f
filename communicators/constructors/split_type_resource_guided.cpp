// SPDX-License-Identifier: BSD-3-Clause
//
// split_type_resource_guided: MPI_Comm_split_type with MPI_COMM_TYPE_RESOURCE_GUIDED, by a word
// (split_by_word.hpp). Parent-collective. Source: MPI 4.1, section 7.4.2.
#include "communicators/constructors.hpp"
#include "communicators/split_by_word.hpp"

namespace regroup::constructor {

GroupComm split_type_resource_guided(Site& parent, const Members&, int) {
  return split_by_word(parent, MPI_COMM_TYPE_RESOURCE_GUIDED);
}

}  // namespace regroup::constructor
