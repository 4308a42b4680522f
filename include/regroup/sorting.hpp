// SPDX-License-Identifier: BSD-3-Clause
//
// Sorting the elements of many ranks: `sorting::janus_sort` on range communicators, `sorting::
// sort_over` with communicators of a strategy (strategy.hpp), and `sorting::sample_sort` on one of
// MPI. Headers alone; the first and the last need nothing but Regroup::range.
#pragma once

#include "sorting/janus_sort.hpp"
#include "sorting/sample_sort.hpp"
#include "sorting/sort_over.hpp"
