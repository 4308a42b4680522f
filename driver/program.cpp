// SPDX-License-Identifier: BSD-3-Clause
//
// The command of Regroup, or of a program that extends it: cmake/regroup_program.cmake builds it.
#include <regroup/program.hpp>

int main(int argc, char** argv) { return regroup::command_main(argc, argv, regroup::add_rows); }
