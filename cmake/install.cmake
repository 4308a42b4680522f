# `cmake --install` makes what find_package(Regroup) finds: the libraries, the public headers, the main
# files of programs, the program regroup itself, and what its users begin with. Where the project is part
# of another one, nothing is installed. The component `range` is the library of range communicators alone:
# `cmake --install build --component range`.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Regroup)

# install_libraries(SET LIBRARY…): as a set of targets that the package includes.
function(install_libraries set)
  install(TARGETS ${ARGN} EXPORT ${set}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/regroup
          OBJECTS DESTINATION ${CMAKE_INSTALL_LIBDIR}/regroup)
  install(EXPORT ${set} NAMESPACE Regroup:: DESTINATION ${package})
endfunction()

# install_headers(HEADER…): as they are in the build tree, below include/.
function(install_headers)
  foreach(header ${ARGN})
    cmake_path(GET header PARENT_PATH folder)
    string(REGEX REPLACE "^include" "${CMAKE_INSTALL_INCLUDEDIR}" folder ${folder})
    install(FILES ${PROJECT_BINARY_DIR}/${header} DESTINATION ${folder})
  endforeach()
endfunction()

get_property(libraries GLOBAL PROPERTY REGROUP_LIBRARIES)
list(REMOVE_DUPLICATES libraries)
list(REMOVE_ITEM libraries regroup_headers regroup_range)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME range)
install_libraries(RegroupRange regroup_headers regroup_range)
install_headers(${REGROUP_RANGE_HEADERS})
configure_package_config_file(cmake/RegroupConfig.cmake.in RegroupConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(RegroupConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/RegroupConfig.cmake ${PROJECT_BINARY_DIR}/RegroupConfigVersion.cmake
        DESTINATION ${package})
if(NOT REGROUP_RANGE_ONLY)
  set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME regroup)
  install_headers(${REGROUP_OTHER_HEADERS})
  install_libraries(RegroupRest ${libraries})
  install(FILES jobs/command_main.cpp jobs/rank_main.cpp
          DESTINATION ${CMAKE_INSTALL_DATADIR}/regroup)
  install(FILES cmake/regroup_program.cmake DESTINATION ${package})
  regroup_install_program(regroup ${CMAKE_INSTALL_BINDIR})
  include(cmake/manual.cmake)
  # What users begin with: configurations, examples, templates for schedulers, pictures; and the module file.
  set(templates slurm.sh slurm_array.sh pbs.sh flux.sh)
  list(TRANSFORM templates PREPEND jobs/)
  install(PROGRAMS ${templates} DESTINATION ${CMAKE_INSTALL_DATADIR}/regroup/jobs)
  install(DIRECTORY configs examples plots DESTINATION ${CMAKE_INSTALL_DATADIR}/regroup
          USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE PATTERN example.png EXCLUDE)
  configure_file(cmake/modulefile.in modulefile @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/modulefile RENAME ${PROJECT_VERSION}
          DESTINATION ${CMAKE_INSTALL_DATADIR}/modulefiles/regroup)
endif()
