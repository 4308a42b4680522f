// SPDX-License-Identifier: BSD-3-Clause
//
// The main program of the tests without MPI.
#include "tests/main.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new regroup::NameOnSignal(120));
  return RUN_ALL_TESTS();
}
