# Writes the headers that programs outside see into include/ of the build tree: those of
# include/regroup/, and below detail/ what these include, directly or not. No other header of the
# project can be reached from there, be it by accident; install.cmake copies the same folder.
#
#   #include "kernel/options.hpp"  becomes  #include <regroup/detail/kernel/options.hpp>

# publish(HEADER PLACE): HEADER of the sources, at PLACE of the build tree; notes in `wanted` what it
# includes.
macro(publish header place)
  file(READ ${PROJECT_SOURCE_DIR}/${header} text)
  string(REGEX MATCHALL "#include \"[^\"]+\"" lines "${text}")
  foreach(line ${lines})
    string(REGEX REPLACE ".*\"(.+)\"" "\\1" included "${line}")
    list(APPEND wanted ${included})
  endforeach()
  string(REGEX REPLACE "#include \"([^\"]+)\"" "#include <regroup/detail/\\1>" text "${text}")
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${place} CONTENT "${text}" @ONLY)
  list(APPEND published ${place})
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
               ${PROJECT_SOURCE_DIR}/${header})
endmacro()

# publish_all(VARIABLE HEADER…): publishes thin headers and all that they include. VARIABLE lists them,
# as they are in the build tree.
set(done "")
macro(publish_all variable)
  set(wanted "")
  set(published "")
  foreach(header ${ARGN})
    string(REGEX REPLACE "\\.in$" "" place ${header})
    publish(${header} ${place})
  endforeach()
  while(wanted)
    list(POP_FRONT wanted header)
    if(NOT header IN_LIST done)
      list(APPEND done ${header})
      publish(${header} include/regroup/detail/${header})
    endif()
  endwhile()
  set(${variable} ${published})
endmacro()

file(GLOB thin CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
     ${PROJECT_SOURCE_DIR}/include/regroup/*.hpp ${PROJECT_SOURCE_DIR}/include/regroup/*.hpp.in
     ${PROJECT_SOURCE_DIR}/include/regroup/*.h)
set(thin_range ${thin})
list(FILTER thin_range INCLUDE REGEX "/(range|sorting|version)\\.hpp")
list(REMOVE_ITEM thin ${thin_range})
publish_all(REGROUP_RANGE_HEADERS ${thin_range})
if(NOT REGROUP_RANGE_ONLY)
  publish_all(REGROUP_OTHER_HEADERS ${thin})
endif()

# What an earlier version of the sources had published, and this one has not.
file(GLOB_RECURSE there RELATIVE ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/include/*)
list(REMOVE_ITEM there ${REGROUP_RANGE_HEADERS} ${REGROUP_OTHER_HEADERS})
foreach(place ${there})
  file(REMOVE ${PROJECT_BINARY_DIR}/${place})
endforeach()
