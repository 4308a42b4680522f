# Tests on MPI processes, whose ranks outnumber the cores: they run as the command runs such ranks.
if(REGROUP_OPEN_MPI)
  # Open MPI 4.1's rdma mistakes windows of disjoint groups for one (open-mpi/ompi#9492).
  set(mpi_test_environment OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_osc=^rdma)
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

# add_mpi_program(NAME SOURCE…): a program of tests that run on several ranks.
function(add_mpi_program name)
  add_executable(${name} ${ARGN})
  as_tests(${name})
  target_link_libraries(${name} PRIVATE regroup_library regroup_named regroup_measurements GTest::gmock)
  if(TARGET regroup_polite_progress)
    target_link_libraries(${name} PRIVATE regroup_polite_progress)
  endif()
endfunction()

# add_mpi_test(NAME PROGRAM [PATTERN…] RANKS N… [ALSO N…] [ENVIRONMENT VARIABLE=VALUE…]): runs the program
# with each number of ranks, as the test NAME.N, with the files of tests that the patterns name. Those
# with ALSO ranks have the label `all`. The exit code 77 means that the MPI library lacks a feature.
function(add_mpi_test name program)
  cmake_parse_arguments(PARSE_ARGV 2 test "" "" "RANKS;ALSO;ENVIRONMENT")
  foreach(ranks ${test_RANKS} ${test_ALSO})
    string(REPLACE "{ranks}" ${ranks} launcher "${REGROUP_LAUNCHER}")
    separate_arguments(launcher UNIX_COMMAND "${launcher}")
    set(label mpi)
    if(ranks IN_LIST test_ALSO)
      list(APPEND label all)
    endif()
    # Waiting ranks sleep, so several share a core; more than a few slow each other down.
    set(processors 1)
    if(ranks GREATER 8)
      set(processors 2)
    endif()
    add_test(NAME ${name}.${ranks} COMMAND ${launcher} $<TARGET_FILE:${program}> --gtest_brief=1
             --gtest_color=no ${test_UNPARSED_ARGUMENTS})
    set_tests_properties(${name}.${ranks} PROPERTIES LABELS "${label}" PROCESSORS ${processors}
                         SKIP_RETURN_CODE 77 TIMEOUT 600
                         ENVIRONMENT "${mpi_test_environment};${test_ENVIRONMENT}")
  endforeach()
endfunction()
