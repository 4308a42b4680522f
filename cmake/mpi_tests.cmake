# Tests on MPI processes, with the settings of the command for ranks that outnumber cores.
if(REGROUP_OPEN_MPI)
  # The component rdma of Open MPI 4.1 confuses windows of disjoint groups (open-mpi/ompi#9492).
  set(program_environment OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_osc=^rdma)
  set(mpi_test_environment ${program_environment})
else()
  # UCX uses up to 8 MB of /dev/shm per rank.
  execute_process(COMMAND df --output=avail -m /dev/shm OUTPUT_VARIABLE shared ERROR_QUIET)
  string(REGEX MATCH "[0-9]+" shared_mb "${shared}")
  set(transports self,posix)
  if(NOT shared_mb OR shared_mb LESS 400)
    set(transports self,sysv)
  endif()
  set(mpi_test_environment MPIR_CVAR_NOLOCAL=1 UCX_TLS=${transports})
endif()
if(REGROUP_SANITIZE)
  list(APPEND mpi_test_environment ASAN_OPTIONS=detect_leaks=0)  # MPI libraries leak
endif()

# add_mpi_program(NAME SOURCE…): adds a program of tests on several ranks.
function(add_mpi_program name)
  add_executable(${name} ${ARGN})
  as_tests(${name})
  target_link_libraries(${name} PRIVATE regroup_driver regroup_named regroup_measurements)
  if(TARGET regroup_polite_progress)
    target_link_libraries(${name} PRIVATE regroup_polite_progress)
  endif()
endfunction()

# add_mpi_test(NAME PROGRAM [PATTERN…] [RANKS N…] [ALSO N…] [ENVIRONMENT VARIABLE=VALUE…]): adds a
# test NAME.N for each number of ranks N, which runs the test files that match the patterns. Tests
# with ALSO ranks have the label `all`; with Open MPI also those with 1 and 8 ranks. Exit code 77
# means that the MPI library lacks a feature.
function(add_mpi_test name program)
  cmake_parse_arguments(PARSE_ARGV 2 test "" "" "RANKS;ALSO;ENVIRONMENT")
  foreach(ranks ${test_RANKS} ${test_ALSO})
    string(REPLACE "{ranks}" ${ranks} launcher "${REGROUP_LAUNCHER}")
    separate_arguments(launcher UNIX_COMMAND "${launcher}")
    set(labels mpi)
    if(ranks IN_LIST test_ALSO OR (REGROUP_OPEN_MPI AND ranks MATCHES "^[18]$"))
      list(APPEND labels all)
    endif()
    # Waiting ranks sleep, so that several can share a core.
    set(processors 1)
    if(ranks GREATER 8)
      set(processors 2)
    endif()
    add_test(NAME ${name}.${ranks} COMMAND ${launcher} $<TARGET_FILE:${program}> --gtest_brief=1
             --gtest_color=no ${test_UNPARSED_ARGUMENTS})
    set_tests_properties(${name}.${ranks} PROPERTIES LABELS "${labels}" PROCESSORS ${processors}
                         SKIP_RETURN_CODE 77 TIMEOUT 600
                         ENVIRONMENT "${mpi_test_environment};${test_ENVIRONMENT}")
  endforeach()
endfunction()

file(GLOB sources CONFIGURE_DEPENDS mpi/*_test.cpp)
list(FILTER sources EXCLUDE REGEX "/(broken_balancers|threads)_test")
if(REGROUP_SANITIZE)
  list(FILTER sources INCLUDE REGEX "/(range|janus)_")
endif()
add_mpi_program(mpi_tests mpi/main.cpp mpi/mpi_calls.cpp ${sources})
# This file replaces operator new, which the header of Open MPI's C++ bindings calls.
set_source_files_properties(mpi/mpi_calls.cpp PROPERTIES COMPILE_DEFINITIONS OMPI_SKIP_MPICXX
                            SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)

# With sanitizers, only tests of range communicators and of Janus sort.
if(REGROUP_SANITIZE)
  add_mpi_test(range mpi_tests range_* RANKS 2 3 5 8)
  add_mpi_test(janus_sort mpi_tests janus_sort RANKS 2 3 5 8)
  return()
endif()

# Each row launches several test files together, for each number of ranks.
add_mpi_test(engine_parts mpi_tests mailbox collect surroundings shared_clock RANKS 1 2 4 8 ALSO 3 5 34)
# 34 ranks: the tree of orders has fan-out 32, and so a second level.
add_mpi_test(orders mpi_tests orders RANKS 1 2 4 8 34 ALSO 3 5)
add_mpi_test(regroupings mpi_tests regroupings ensemble chain_failures RANKS 1 2 4 8 ALSO 3 5 17)
add_mpi_test(engine mpi_tests engine chain_messages RANKS 1 2 4 8)
add_mpi_test(long_engine mpi_tests engine chain_messages ALSO 2 3 5 8 ENVIRONMENT REGROUP_LONG_TESTS=1)
add_mpi_test(process mpi_tests process RANKS 3)
add_mpi_test(golden_regroupings mpi_tests golden_regroupings RANKS 32)
add_mpi_test(communicators mpi_tests communicator strategies creation creation_attributes constructors
             processor_groups named RANKS 1 2 4 8 ALSO 3 5 17)
add_mpi_test(many_creations mpi_tests many_creations RANKS 2 4 ALSO 1 3 8 17)
add_mpi_test(range mpi_tests range_[!r]* RANKS 1 2 4 8 ALSO 3 5 17)
add_mpi_test(range_random mpi_tests range_random_* RANKS 2 4 8 ALSO 3)
add_mpi_test(long_range_random mpi_tests range_random_* ALSO 5 ENVIRONMENT REGROUP_CASES=3000)
# 64 ranks: several levels, and many ranks in two groups. Ranks of Open MPI share cores by yielding,
# so many ranks would take minutes.
set(janus_ranks 3 5)
if(NOT REGROUP_OPEN_MPI)
  list(APPEND janus_ranks 7 12 16 17 32 64)
endif()
add_mpi_test(janus_sort mpi_tests janus_sort RANKS 1 2 4 8 ALSO ${janus_ranks})
add_mpi_test(measurements mpi_tests measure_collectives measure_creation measure_sort
             measurement_kind RANKS 1 2 4 8 ALSO 3 5)
add_mpi_test(measure_items mpi_tests measure_items RANKS 1 2 4 ALSO 3 5)

# Short naps, because a thread that naps in MPICH holds the lock that other threads wait for.
add_mpi_program(threads_tests mpi/threads_test.cpp)
add_mpi_test(threads threads_tests RANKS 2 4 ALSO 1 3 ENVIRONMENT REGROUP_LONGEST_NAP_US=20)

# The test launches separate processes for each run, which a broken balancer aborts. The launcher of
# Open MPI 4.1 may wait forever for aborted ranks.
if(NOT REGROUP_OPEN_MPI)
  add_mpi_program(broken_balancers_tests mpi/broken_balancers_test.cpp)
  add_test(NAME broken_balancers.3 COMMAND broken_balancers_tests --gtest_brief=1 --gtest_color=no)
  string(REPLACE "{ranks}" 3 launcher "${REGROUP_LAUNCHER}")
  set_tests_properties(broken_balancers.3 PROPERTIES LABELS mpi TIMEOUT 300
                       ENVIRONMENT "${mpi_test_environment};REGROUP_LAUNCHER=${launcher}")
endif()

# Programs with named communicators, built with the header of Regroup and with that of MPI.
add_executable(halo ${PROJECT_SOURCE_DIR}/examples/halo/halo.c)
target_link_libraries(halo PRIVATE regroup_named)
set_target_properties(halo PROPERTIES LINKER_LANGUAGE CXX)
foreach(suffix "" _cxx)
  set(source program/listings.c)
  if(suffix)
    set(source program/listings_cxx.cpp)
  endif()
  add_executable(listings_named${suffix} ${source})
  target_compile_definitions(listings_named${suffix} PRIVATE NAMED)
  target_link_libraries(listings_named${suffix} PRIVATE regroup_named)
  set_target_properties(listings_named${suffix} PROPERTIES LINKER_LANGUAGE CXX)
  add_executable(listings_plain${suffix} ${source})
  target_link_libraries(listings_plain${suffix} PRIVATE MPI::MPI_CXX)
endforeach()
# A library that tests of whole commands preload.
add_library(no_contexts MODULE program/no_contexts.cpp)
target_link_libraries(no_contexts PRIVATE MPI::MPI_CXX)
