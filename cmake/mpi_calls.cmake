# Checks which functions of versions after MPI 3.0 the MPI library has; those up to 3.0 are
# required. Sets REGROUP_MPI_CALLS to a definition REGROUP_HAS_NAME=1 or 0 for each communicator
# strategy NAME that needs a newer function.
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

set(REGROUP_MPI_CALLS "")
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_CXX)
foreach(strategy ${newer_strategies})
  check_cxx_source_compiles("#include <mpi.h>\nint main() {\n${calls_of_${strategy}}\n}\n" MPI_HAS_${strategy})
  if(MPI_HAS_${strategy})
    list(APPEND REGROUP_MPI_CALLS REGROUP_HAS_${strategy}=1)
  else()
    list(APPEND REGROUP_MPI_CALLS REGROUP_HAS_${strategy}=0)
    list(APPEND missing ${strategy})
  endif()
endforeach()
unset(CMAKE_REQUIRED_LIBRARIES)
if(missing)
  list(JOIN missing ", " missing)
  message(STATUS "The MPI library lacks the calls of: ${missing}")
endif()
