# Finds out which communicator strategies the MPI library has the calls for; those of MPI 1 to 3.0
# every library has. Sets REGROUP_MISSING_SOURCES to the files of the others, and writes
# communicators/available.hpp, which names them, and communicators/constructors.hpp, which declares
# those that are there.
include(CheckCXXSourceCompiles)

set(newer_strategies create_from_group intercomm_create_from_groups idup_with_info
    split_type_hw_unguided split_type_hw_guided split_type_resource_guided idup)
set(calls_of_create_from_group [[
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Group group;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm comm;
  MPI_Comm_create_from_group(group, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);]])
string(CONCAT calls_of_intercomm_create_from_groups "${calls_of_create_from_group}" [[
  MPI_Intercomm_create_from_groups(group, 0, group, 0, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN,
                                   &comm);]])
set(calls_of_idup [[
  MPI_Comm comm;
  MPI_Request request;
  MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);]])
set(calls_of_idup_with_info [[
  MPI_Comm comm;
  MPI_Request request;
  MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &comm, &request);]])
set(calls_of_split_type_hw_unguided [[
  MPI_Comm comm;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &comm);]])
string(REPLACE HW_UNGUIDED HW_GUIDED calls_of_split_type_hw_guided
       "${calls_of_split_type_hw_unguided}")
string(REPLACE HW_UNGUIDED RESOURCE_GUIDED calls_of_split_type_resource_guided
       "${calls_of_split_type_hw_unguided}")

set(REGROUP_MISSING "")
if(TARGET MPI::MPI_CXX)
  set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_CXX)
  foreach(strategy ${newer_strategies})
    check_cxx_source_compiles("#include <mpi.h>\nint main() {\n${calls_of_${strategy}}\n}\n" MPI_HAS_${strategy})
    if(NOT MPI_HAS_${strategy})
      list(APPEND REGROUP_MISSING ${strategy})
    endif()
  endforeach()
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(REGROUP_MISSING)
    list(JOIN REGROUP_MISSING ", " missing)
    message(STATUS "The MPI library lacks the calls of: ${missing}")
  endif()
endif()
list(LENGTH REGROUP_MISSING REGROUP_MISSING_COUNT)
list(TRANSFORM REGROUP_MISSING REPLACE "(.+)" "\"\\1\"" OUTPUT_VARIABLE quoted)
list(JOIN quoted ", " REGROUP_MISSING_STRATEGIES)
configure_file(cmake/available.hpp.in communicators/available.hpp @ONLY)

# A file in communicators/constructors/ holds the function of its name.
file(GLOB constructors CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/communicators/constructors
     ${PROJECT_SOURCE_DIR}/communicators/constructors/*.cpp)
list(TRANSFORM constructors REPLACE "\\.cpp$" "")
list(REMOVE_ITEM constructors ${REGROUP_MISSING})
foreach(constructor ${constructors})
  string(APPEND REGROUP_CONSTRUCTOR_DECLARATIONS
         "GroupComm ${constructor}(Site& parent, const Members& members, int tag);\n")
  string(APPEND REGROUP_CONSTRUCTOR_ROWS "    Constructor{\"${constructor}\", ${constructor}},\n")
endforeach()
configure_file(cmake/constructors.hpp.in communicators/constructors.hpp @ONLY)

# The files that cannot be compiled.
list(TRANSFORM REGROUP_MISSING PREPEND constructors/ OUTPUT_VARIABLE REGROUP_MISSING_SOURCES)
if(create_from_group IN_LIST REGROUP_MISSING)
  list(APPEND REGROUP_MISSING_SOURCES session)
endif()
