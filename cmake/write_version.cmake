# Determines the commit that is being built, and whether the tree has uncommitted changes; if so,
# the version contains a hash of changed sources. Runs as a script at every build; the header
# changes only with its content. Values are "unknown" if the sources are not the top of a
# repository, such as an archive that was unpacked inside another repository.
set(git ${CMAKE_COMMAND} -E env --unset=GIT_DIR --unset=GIT_WORK_TREE --unset=GIT_INDEX_FILE git)
set(REGROUP_COMMIT unknown)
set(REGROUP_TREE unknown)
execute_process(COMMAND ${git} rev-parse --show-toplevel WORKING_DIRECTORY ${SOURCE}
                OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
file(REAL_PATH ${SOURCE} source)
if(top STREQUAL source)
  execute_process(COMMAND ${git} rev-parse --short=12 HEAD WORKING_DIRECTORY ${SOURCE}
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
                  RESULT_VARIABLE no_commit)
  execute_process(COMMAND ${git} status --porcelain WORKING_DIRECTORY ${SOURCE}
                  OUTPUT_VARIABLE changes ERROR_QUIET RESULT_VARIABLE no_status)
  if(no_commit EQUAL 0)
    set(REGROUP_COMMIT ${commit})
  endif()
  if(no_commit EQUAL 0 AND no_status EQUAL 0)
    set(REGROUP_TREE clean)
    if(NOT changes STREQUAL "")
      set(REGROUP_TREE "with uncommitted changes")
    endif()
  endif()
endif()
set(REGROUP_VERSION "${VERSION}+${REGROUP_COMMIT}")
if(REGROUP_TREE STREQUAL "with uncommitted changes")
  execute_process(COMMAND ${git} diff HEAD -- *.cpp *.hpp *.c *.h *.in *.cmake CMakeLists.txt */CMakeLists.txt
                  WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE changed ERROR_QUIET)
  string(SHA1 changes "${changed}")
  string(SUBSTRING ${changes} 0 8 changes)
  string(APPEND REGROUP_VERSION ".changed.${changes}")
endif()
configure_file(${SOURCE}/cmake/version.hpp.in ${OUTPUT} @ONLY)
