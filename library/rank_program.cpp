// SPDX-License-Identifier: BSD-3-Clause
//
// The program of the ranks of such a command.
#include <regroup/program.hpp>

int main(int argc, char** argv) { return regroup::rank_main(argc, argv, regroup::add_rows); }
