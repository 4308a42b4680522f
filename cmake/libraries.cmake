# The libraries that Regroup uses, each as a target. Libraries without a CMake package are found by
# a header and a library file, in any prefix.
find_package(fmt REQUIRED)
find_package(yaml-cpp REQUIRED)
if(TARGET yaml-cpp::yaml-cpp) # 0.8 exports this target, but its YAML_CPP_LIBRARIES names another
  set(YAML_CPP_LIBRARIES yaml-cpp::yaml-cpp)
endif()
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
foreach(library "CSV csv.h csv" "RANDOM123 Random123/philox.h" "RE2 re2/re2.h re2"
                "PUGIXML pugixml.hpp pugixml" "JEMALLOC jemalloc/jemalloc.h jemalloc")
  string(REPLACE " " ";" library "${library}")
  list(POP_FRONT library name header)
  find_path(${name}_INCLUDE ${header} REQUIRED)
  include_directories(SYSTEM ${${name}_INCLUDE})
  if(library)
    find_library(${name}_LIBRARY ${library} REQUIRED)
  endif()
endforeach()
