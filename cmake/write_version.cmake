# Asks git which commit is being built. Run as a script at every build; the header changes only when
# the answer does.
execute_process(COMMAND git rev-parse --short=12 HEAD WORKING_DIRECTORY ${SOURCE}
                OUTPUT_VARIABLE REGROUP_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git status --porcelain WORKING_DIRECTORY ${SOURCE}
                OUTPUT_VARIABLE changes ERROR_QUIET)
if(REGROUP_COMMIT STREQUAL "")
  set(REGROUP_COMMIT "unknown")
endif()
if(changes STREQUAL "")
  set(REGROUP_CLEAN true)
else()
  set(REGROUP_CLEAN false)
endif()
set(REGROUP_VERSION "${VERSION}+${REGROUP_COMMIT}")
configure_file(${SOURCE}/cmake/version.hpp.in ${OUTPUT} @ONLY)
