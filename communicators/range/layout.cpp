// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/layout.hpp"

namespace regroup::range {

Layout ask_for_layout(MPI_Datatype type) {
  Layout layout{size_of(type), 0, 0, 0};
  MPI_Aint lower_bound = 0;
  throw_on_error(MPI_Type_get_extent(type, &lower_bound, &layout.extent));
  throw_on_error(MPI_Type_get_true_extent(type, &layout.lowest, &layout.span));
  return layout;
}

}  // namespace regroup::range
