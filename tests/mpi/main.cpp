// SPDX-License-Identifier: BSD-3-Clause
//
// The main program of the tests on MPI processes, except those with threads:
//
//   mpi_tests [PATTERN…]    runs only the tests in files PATTERN_test.cpp, for example 'range_*'
#include <fnmatch.h>

#include <filesystem>
#include <string>

#include "tests/mpi/run_tests.hpp"

namespace {

/// Returns the GoogleTest filter for the tests in files that match one of `patterns`.
std::string tests_in_files(const std::vector<std::string>& patterns) {
  const auto matches = [&](const testing::TestInfo& test) {
    const std::string file = std::filesystem::path(test.file()).filename().string();
    return std::ranges::any_of(patterns, [&](const std::string& pattern) {
      return fnmatch((pattern + "_test.cpp").c_str(), file.c_str(), 0) == 0;
    });
  };
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  std::string filter;
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const testing::TestInfo& test = *suite.GetTestInfo(j);
      if (matches(test)) filter += std::string(suite.name()) + "." + test.name() + ":";
    }
  }
  return filter;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1) {
    const std::string filter = tests_in_files({argv + 1, argv + argc});
    if (filter.empty()) {
      fmt::print(stderr, "no file of tests is called like that\n");
      return 2;
    }
    GTEST_FLAG_SET(filter, filter);
  }
  const int failed = regroup::run_tests();
  MPI_Finalize();
  return failed;
}
