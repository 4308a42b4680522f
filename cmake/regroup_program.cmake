# Programs like regroup with additional plug-ins, for this project and for others: the package
# contains this file.

# regroup_add_program(NAME SOURCE… [HOOKS]): adds the command NAME and the program of its ranks,
# NAME-mpi, in the same directory. The SOURCEs define regroup::add_rows (regroup/program.hpp). They
# are compiled once, as the target NAME_rows; link further libraries to this target.
#
# With MPICH, also adds wrapped/NAME-mpi, which the key `waiting` selects if ranks outnumber cores:
# it naps in the progress function of UCX (docs/running.md).
#
# HOOKS: the programs of the ranks count MPI messages with PMPI wrappers, and replace the disconnect
# function of UCX, which can hang over TCP (docs/running.md).
function(regroup_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 program HOOKS "" "")
  add_library(${name}_rows OBJECT ${program_UNPARSED_ARGUMENTS})
  target_link_libraries(${name}_rows PUBLIC Regroup::library)
  set(hooks "")
  if(program_HOOKS AND TARGET Regroup::hooks)
    set(hooks Regroup::hooks)
  endif()
  set(place "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  if(NOT place)
    set(place ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  add_executable(${name}-mpi)
  target_link_libraries(${name}-mpi PRIVATE ${name}_rows Regroup::rank_program ${hooks})
  set(programs ${name}-mpi)
  if(TARGET Regroup::polite_progress)
    add_executable(${name}-mpi-wrapped)
    target_link_libraries(${name}-mpi-wrapped PRIVATE ${name}_rows Regroup::rank_program ${hooks}
                          Regroup::polite_progress)
    set_target_properties(${name}-mpi-wrapped PROPERTIES OUTPUT_NAME ${name}-mpi
                          RUNTIME_OUTPUT_DIRECTORY ${place}/wrapped)
    list(APPEND programs ${name}-mpi-wrapped)
  endif()
  if(TARGET Regroup::command_program)
    add_executable(${name})
    target_link_libraries(${name} PRIVATE ${name}_rows Regroup::command_program)
    add_dependencies(${name} ${programs})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${place})
  endif()
  set_target_properties(${name}-mpi PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${place})
endfunction()

# regroup_install_program(NAME [DIRECTORY]): installs the programs of regroup_add_program(NAME …) in
# DIRECTORY, by default bin.
function(regroup_install_program name)
  set(directory bin)
  if(ARGC GREATER 1)
    set(directory ${ARGV1})
  endif()
  install(TARGETS ${name} ${name}-mpi RUNTIME DESTINATION ${directory})
  if(TARGET ${name}-mpi-wrapped)
    install(TARGETS ${name}-mpi-wrapped RUNTIME DESTINATION ${directory}/wrapped)
  endif()
endfunction()
