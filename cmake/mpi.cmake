# Finds the MPI library.
if(REGROUP_SIMGRID)
  add_library(MPI::MPI_CXX INTERFACE IMPORTED)  # smpicxx adds MPI itself
else()
  # If several MPI libraries are installed, MPICH is the default.
  if(NOT MPI_CXX_COMPILER)
    find_program(MPI_CXX_COMPILER NAMES mpicxx.mpich mpicxx REQUIRED)
  endif()
  # A full path: the launcher is in the same directory, and find_package(Regroup) compares paths.
  find_program(compiler_path NAMES ${MPI_CXX_COMPILER} NO_CACHE REQUIRED)
  set(MPI_CXX_COMPILER ${compiler_path} CACHE FILEPATH "Compiler of the MPI library" FORCE)
  find_package(MPI REQUIRED COMPONENTS CXX)
endif()

# Sets the variables of library/build_info.hpp about the MPI library: its name and its launcher.
set(REGROUP_MPI_LIBRARY "none")
set(REGROUP_OPEN_MPI false)
set(REGROUP_LAUNCHER "")
set(REGROUP_MPIEXEC "")
if(MPI_CXX_FOUND)
  # The launcher that belongs to mpicxx.mpich is mpiexec.mpich.
  string(REGEX REPLACE "mpi(cxx|c\\+\\+|CC)" "mpiexec" launcher "${MPI_CXX_COMPILER}")
  if(NOT EXISTS ${launcher})
    set(launcher ${MPIEXEC_EXECUTABLE})
  endif()
  file(WRITE ${PROJECT_BINARY_DIR}/mpi_name.cpp
    "#include <mpi.h>\n#ifdef OPEN_MPI\nlibrary \"Open MPI\" OMPI_MAJOR_VERSION OMPI_MINOR_VERSION \
OMPI_RELEASE_VERSION\n#else\nlibrary \"MPICH\" MPICH_VERSION\n#endif\n")
  execute_process(COMMAND ${MPI_CXX_COMPILER} -E -P ${PROJECT_BINARY_DIR}/mpi_name.cpp
                  OUTPUT_VARIABLE preprocessed)
  string(REGEX MATCH "library ([^\n]*)" line "${preprocessed}")
  string(REPLACE "\"" "" REGROUP_MPI_LIBRARY "${CMAKE_MATCH_1}")
  string(REGEX REPLACE "([0-9]) ([0-9]+) ([0-9]+)$" "\\1.\\2.\\3" REGROUP_MPI_LIBRARY "${REGROUP_MPI_LIBRARY}")
  set(REGROUP_MPIEXEC ${launcher})
  set(REGROUP_LAUNCHER "${launcher} -n {ranks}")
  if(REGROUP_MPI_LIBRARY MATCHES "Open MPI")
    set(REGROUP_OPEN_MPI true)
    set(REGROUP_LAUNCHER "${launcher} --oversubscribe --allow-run-as-root -n {ranks}")
  endif()
  message(STATUS "MPI: ${REGROUP_MPI_LIBRARY}, launched by ${launcher}")
endif()
