# Programs like regroup, with rows of their own: for the project itself, and for others, which get
# this file with the package.

# regroup_add_program(NAME SOURCE…): the command NAME, and NAME-mpi, the program of its ranks, which
# the command finds beside itself. The SOURCEs define regroup::add_rows (regroup/program.hpp); they are
# compiled once, as the target NAME_rows, to which belongs what else they need. With MPICH there is also
# wrapped/NAME-mpi, for ranks that outnumber cores (docs/waiting.md).
function(regroup_add_program name)
  add_library(${name}_rows OBJECT ${ARGN})
  target_link_libraries(${name}_rows PUBLIC Regroup::regroup)
  # Chains that are the same on every machine: no fused multiply-add behind anybody's back.
  target_compile_options(${name}_rows PRIVATE -ffp-contract=off)
  set(programs "")
  if(TARGET Regroup::rank_main)
    add_executable(${name}-mpi)
    target_link_libraries(${name}-mpi PRIVATE ${name}_rows Regroup::rank_main)
    list(APPEND programs ${name}-mpi)
  endif()
  if(TARGET Regroup::hooks)
    target_link_libraries(${name}-mpi PRIVATE Regroup::hooks)
  endif()
  if(TARGET Regroup::polite_objects)
    add_executable(${name}-mpi-wrapped)
    target_link_libraries(${name}-mpi-wrapped PRIVATE ${name}_rows Regroup::rank_main
                          Regroup::hooks Regroup::polite_objects)
    set_target_properties(${name}-mpi-wrapped PROPERTIES OUTPUT_NAME ${name}-mpi)
    list(APPEND programs ${name}-mpi-wrapped)
  endif()
  if(TARGET Regroup::command_main)
    add_executable(${name})
    # The command calls nothing of MPI, unless the sources do.
    target_link_options(${name} PRIVATE LINKER:--as-needed)
    target_link_libraries(${name} PRIVATE ${name}_rows Regroup::command_main)
    if(programs)
      add_dependencies(${name} ${programs})
    endif()
    list(APPEND programs ${name})
  endif()
  set(place "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  if(NOT place)
    set(place ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  set_target_properties(${programs} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${place})
  if(TARGET ${name}-mpi-wrapped)
    set_target_properties(${name}-mpi-wrapped PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${place}/wrapped)
  endif()
endfunction()

# regroup_install_program(NAME [DIRECTORY]): what regroup_add_program(NAME …) has made, so that it finds
# itself; DIRECTORY is bin where none is given.
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
