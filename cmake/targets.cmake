# Functions that declare the targets of the top folders.

# Compile options of this project. Users of the libraries do not get them.
add_library(regroup_options INTERFACE)
target_include_directories(regroup_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
target_compile_options(regroup_options INTERFACE
  -fno-semantic-interposition  # position-independent code calls its own functions directly
  -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
  $<$<COMPILE_LANGUAGE:CXX>:-Wpedantic>  # in C it warns about function pointers from dlsym
  # Newer clang reports a call inside std::stable_sort of libstdc++ 12; GCC reports ours.
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-deprecated-declarations>)
if(REGROUP_WERROR)
  target_compile_options(regroup_options INTERFACE -Werror)
endif()
if(REGROUP_SANITIZE)
  target_compile_options(regroup_options INTERFACE -fsanitize=address,undefined
                         -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined)
endif()
if(REGROUP_FUZZ)
  target_compile_options(regroup_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Most sources do not use MPI and are compiled equally for several MPI libraries. A build directory
# that was configured without ccache does not use it later, since all compile commands would change
# and everything would be rebuilt.
if(NOT DEFINED CACHE{CCACHE})
  find_program(CCACHE ccache)
endif()
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
      CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  target_compile_options(regroup_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
endif()

# Headers of most sources. Targets with the optimisation level of regroup_kernel share its
# precompiled headers; GCC 13 and later reject those of another level.
set(REGROUP_PRECOMPILED <algorithm> <array> <filesystem> <functional> <map> <optional> <string> <vector>
    <fmt/format.h> <fmt/ranges.h>)

# regroup_library_target(NAME [PUBLIC TARGET…] [PRIVATE TARGET…] [FOLDERS FOLDER…]): adds the
# library regroup_NAME, with the alias Regroup::NAME, of all sources in the current directory and in
# FOLDERS. PUBLIC: dependencies of its headers.
function(regroup_library_target name)
  cmake_parse_arguments(PARSE_ARGV 1 needs "" "" "PUBLIC;PRIVATE;FOLDERS")
  set(patterns *.cpp)
  foreach(folder ${needs_FOLDERS})
    list(APPEND patterns ${folder}/*.cpp)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  list(FILTER sources EXCLUDE REGEX "program\\.cpp$|/no_rows\\.cpp$")  # main files of programs
  add_library(regroup_${name} STATIC ${sources})
  set_target_properties(regroup_${name} PROPERTIES EXPORT_NAME ${name})
  add_library(Regroup::${name} ALIAS regroup_${name})
  target_link_libraries(regroup_${name} PUBLIC ${needs_PUBLIC}
                        PRIVATE $<BUILD_INTERFACE:regroup_options> ${needs_PRIVATE})
  if(NOT name MATCHES "^(kernel|range|driver)$")
    target_precompile_headers(regroup_${name} REUSE_FROM regroup_kernel)
  endif()
  # Compiling the sources of a directory together takes a third of the time. Sources of plug-ins
  # define the same names, so they are compiled separately.
  if(NOT DEFINED CMAKE_UNITY_BUILD AND NOT name MATCHES "^(balancers|measurements|named)$")
    foreach(source ${sources})
      cmake_path(GET source PARENT_PATH folder)
      cmake_path(GET folder FILENAME folder)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
    endforeach()
    set_target_properties(regroup_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
  set_property(GLOBAL APPEND PROPERTY REGROUP_LIBRARIES regroup_${name})
endfunction()
