// SPDX-License-Identifier: BSD-3-Clause
//
// The same program in C++, which distinguishes variables from values in another way.
#include "listings.c"
