# add_mpi_test(NAME SOURCE… RANKS N… [TIMEOUT SECONDS] [LIBRARIES TARGET…] [OWN_MAIN]
# [ENVIRONMENT VARIABLE=VALUE…]): a GoogleTest program that runs once with each number of ranks, as
# test NAME_N, under the launcher of the MPI library that was found. The tests' ranks outnumber the
# cores; the environment is what jobs/launch/mpi_job.cpp gives such runs, and the wrapper of MPICH's progress
# is in. The exit code 77 says that the MPI library lacks what is tested.
if(REGROUP_OPEN_MPI)
  set(mpi_test_environment OMPI_MCA_mpi_yield_when_idle=1)
else()
  # UCX takes up to 8 MB of /dev/shm for each rank.
  execute_process(COMMAND df --output=avail -m /dev/shm OUTPUT_VARIABLE shared ERROR_QUIET)
  string(REGEX MATCH "[0-9]+" shared_mb "${shared}")
  set(transports self,posix)
  if(NOT shared_mb OR shared_mb LESS 400)
    set(transports self,sysv)
  endif()
  set(mpi_test_environment MPIR_CVAR_NOLOCAL=1 UCX_TLS=${transports})
endif()

# Beside other work, ranks that hand on a core to each other are slow.
set(REGROUP_MPI_TEST_TIMEOUT 300 CACHE STRING
    "seconds that a test on MPI processes may take; 0: what --timeout of ctest says")

add_library(mpi_test_main OBJECT ${PROJECT_SOURCE_DIR}/tests/mpi/main.cpp)
target_link_libraries(mpi_test_main PRIVATE regroup_ranks GTest::gmock)
as_tests(mpi_test_main)

function(add_mpi_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test OWN_MAIN TIMEOUT "RANKS;LIBRARIES;ENVIRONMENT")
  add_executable(${name} ${test_UNPARSED_ARGUMENTS})
  as_tests(${name})
  if(NOT test_OWN_MAIN)
    target_link_libraries(${name} PRIVATE mpi_test_main)
  endif()
  target_link_libraries(${name} PRIVATE regroup_ranks ${test_LIBRARIES} GTest::gmock)
  run_on_ranks(${name} RANKS ${test_RANKS} TIMEOUT ${test_TIMEOUT} ENVIRONMENT ${test_ENVIRONMENT})
endfunction()

# run_on_ranks(NAME RANKS N… [TIMEOUT SECONDS] [ENVIRONMENT VARIABLE=VALUE…]): … of a program that
# there is.
function(run_on_ranks name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" TIMEOUT "RANKS;ENVIRONMENT")
  if(NOT test_TIMEOUT)
    set(test_TIMEOUT ${REGROUP_MPI_TEST_TIMEOUT})
  endif()
  if(TARGET polite_objects)
    target_link_libraries(${name} PRIVATE polite_objects)
  endif()
  foreach(ranks ${test_RANKS})
    string(REPLACE "{ranks}" ${ranks} launcher "${REGROUP_LAUNCHER}")
    separate_arguments(launcher UNIX_COMMAND "${launcher}")
    add_test(NAME ${name}_${ranks} COMMAND ${launcher} $<TARGET_FILE:${name}> --gtest_brief=1
             --gtest_color=no)
    set_tests_properties(${name}_${ranks} PROPERTIES LABELS mpi PROCESSORS 2 SKIP_RETURN_CODE 77
                         ENVIRONMENT "${mpi_test_environment};${test_ENVIRONMENT}")
    if(test_TIMEOUT)
      set_tests_properties(${name}_${ranks} PROPERTIES TIMEOUT ${test_TIMEOUT})
    endif()
    if(ranks GREATER_EQUAL 8)
      set_tests_properties(${name}_${ranks} PROPERTIES RUN_SERIAL ON)
    endif()
  endforeach()
endfunction()
