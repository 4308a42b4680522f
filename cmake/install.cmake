# Files that `cmake --install` installs: the libraries and public headers with a package for
# find_package(Regroup), the program regroup, and files for its users. The component `range`
# contains only the library of range communicators. A subproject installs nothing.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Regroup)

# install_libraries(SET LIBRARY…): installs libraries as an export set that the package includes.
function(install_libraries set)
  install(TARGETS ${ARGN} EXPORT ${set} FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/regroup
          OBJECTS DESTINATION ${CMAKE_INSTALL_LIBDIR}/regroup)
  install(EXPORT ${set} NAMESPACE Regroup:: DESTINATION ${package})
endfunction()

get_property(libraries GLOBAL PROPERTY REGROUP_LIBRARIES)
list(REMOVE_ITEM libraries regroup_range)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME range)
install_libraries(RegroupRange regroup_headers regroup_range)
configure_package_config_file(cmake/RegroupConfig.cmake.in RegroupConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(RegroupConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/RegroupConfig.cmake ${PROJECT_BINARY_DIR}/RegroupConfigVersion.cmake
        DESTINATION ${package})
file(RELATIVE_PATH include_from_lib ${CMAKE_INSTALL_FULL_LIBDIR} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(cmake/regroup-range.pc.in regroup-range.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/regroup-range.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(REGROUP_RANGE_ONLY)
  return()
endif()

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME regroup)
install_libraries(RegroupRest ${libraries})
install(FILES cmake/regroup_program.cmake DESTINATION ${package})
regroup_install_program(regroup ${CMAKE_INSTALL_BINDIR})
install(FILES driver/cli/completion.bash RENAME regroup
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
if(TARGET regroup_python)
  set(python ${CMAKE_INSTALL_LIBDIR}/regroup/python)
  install(TARGETS regroup_python LIBRARY DESTINATION ${python}/regroup)
  install(DIRECTORY python/regroup DESTINATION ${python} FILES_MATCHING PATTERN *.py
          PATTERN __pycache__ EXCLUDE)
  if(TARGET polite_progress)
    install(TARGETS polite_progress LIBRARY DESTINATION ${CMAKE_INSTALL_BINDIR}/wrapped)
  endif()
endif()
# Files for users: configurations, examples, job scripts, picture scripts, and a module file.
install(PROGRAMS jobs/slurm.sh jobs/slurm_array.sh DESTINATION ${CMAKE_INSTALL_DATADIR}/regroup/jobs)
install(DIRECTORY configs examples plots DESTINATION ${CMAKE_INSTALL_DATADIR}/regroup
        USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE PATTERN example.png EXCLUDE)
configure_file(cmake/modulefile.in modulefile @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/modulefile RENAME ${PROJECT_VERSION}
        DESTINATION ${CMAKE_INSTALL_DATADIR}/modulefiles/regroup)
include(cmake/package.cmake)
