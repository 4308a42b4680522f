# add_unit_tests(TARGET): a test for each of its cases. With the sanitizers a process takes long to
# begin, so all cases are one test.
function(add_unit_tests target)
  as_tests(${target})
  if(REGROUP_SANITIZE)
    # Mean energies take millions of moves, in code that other cases execute, too.
    add_test(NAME ${target} COMMAND ${target} --gtest_brief=1
             --gtest_filter=-LennardJones.HasTheMean*:LennardJones.HasTheEnergy*)
    set_tests_properties(${target} PROPERTIES TIMEOUT 300 LABELS unit)
  else()
    gtest_discover_tests(${target} NO_PRETTY_VALUES PROPERTIES TIMEOUT 120 LABELS unit)
  endif()
endfunction()

# Unit tests: no MPI, no files, no clock.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS unit/*.cpp)
set(of_jobs ${sources})
list(FILTER of_jobs INCLUDE REGEX "/unit/jobs/")
list(FILTER sources EXCLUDE REGEX "/unit/jobs/")
add_executable(unit_tests ${sources})
target_link_libraries(unit_tests PRIVATE regroup_catalog regroup_measurement regroup_definitions
                      GTest::gmock_main)
add_unit_tests(unit_tests)

# Unit tests of what the command is made of: files of their own in the temporary directory.
add_executable(jobs_tests ${of_jobs})
target_link_libraries(jobs_tests PRIVATE regroup_jobs GTest::gmock_main)
add_unit_tests(jobs_tests)

# The lists of mutants fit the sources; making them all is for tests/mutants.sh.
add_test(NAME mutants_list COMMAND ${PROJECT_SOURCE_DIR}/tests/mutants.sh --check)
set_tests_properties(mutants_list PROPERTIES LABELS unit TIMEOUT 60)

# The explorer: every order of events of small runs, random samples of large ones; half a minute.
file(GLOB sources CONFIGURE_DEPENDS explorer/*.cpp)
if(SYSTEM_PYTHON)
  set(example ${CMAKE_CURRENT_BINARY_DIR}/docs_example)
  set(page ${PROJECT_SOURCE_DIR}/docs/adding-a-balancer.md)
  add_custom_command(OUTPUT ${example}/one_by_one.hpp ${example}/one_by_one.row
    COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 ${SYSTEM_PYTHON}
            ${CMAKE_CURRENT_SOURCE_DIR}/docs/example.py ${page} ${example}
    DEPENDS ${page} docs/example.py docs/markdown.py)
  list(APPEND sources ${example}/one_by_one.hpp ${example}/one_by_one.row)
else()
  list(FILTER sources EXCLUDE REGEX "/example_test")
endif()
add_executable(explorer_tests ${sources})
target_include_directories(explorer_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}
                           ${CMAKE_CURRENT_BINARY_DIR})
target_link_libraries(explorer_tests PRIVATE regroup_jobs regroup_explorer GTest::gmock_main)
gtest_discover_tests(explorer_tests NO_PRETTY_VALUES PROPERTIES TIMEOUT 300 LABELS explorer)
