// SPDX-License-Identifier: BSD-3-Clause
//
// The main function of programs of ranks (see regroup_add_program).
#include <regroup/program.hpp>

int main(int argc, char** argv) { return regroup::rank_main(argc, argv, regroup::add_rows); }
