# find_package(Halyard), for an installed Halyard (-DCMAKE_PREFIX_PATH=PREFIX) or a tree of its sources (-DHalyard_DIR=TREE/cmake).
# Installed, Halyard::halyard and Halyard::halyard_static are the library of halyard.h. Either way, for projects that ship pipelines:
#
#   halyard_add_library(blur ALGORITHM blur.alg [SCHEDULE blur.sched:tiled] [TARGET x86-64-v3 ...] [OPTIONS --unknown runtime])
#   halyard_add_gate(blur [LEVEL 2] [LABELS gate])
#
# The first makes the folder blur.shipped in the build tree ('halyard ship') and a library "blur" of it, with its header and
# halyard_runtime.h (of several targets it is that of the first); the second adds a test that judges the folder ('halyard gate') and leaves blur.gate.xml for the CI.
# The program is that of HALYARD_EXECUTABLE, of the PATH, or of the tree's own builds or bin.

if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/HalyardTargets.cmake") # installed, in PREFIX/lib/cmake/Halyard
  get_filename_component(HALYARD_TREE "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
else()
  get_filename_component(HALYARD_TREE "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
endif()
find_program(HALYARD_EXECUTABLE halyard HINTS "${HALYARD_TREE}/build/release" "${HALYARD_TREE}/bin")
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Halyard REQUIRED_VARS HALYARD_EXECUTABLE)
find_package(Threads REQUIRED)
if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/HalyardTargets.cmake" AND NOT TARGET Halyard::halyard)
  include("${CMAKE_CURRENT_LIST_DIR}/HalyardTargets.cmake")
  include("${CMAKE_CURRENT_LIST_DIR}/HalyardStatic.cmake") # what the archive needs beside itself
  add_library(Halyard::halyard_static STATIC IMPORTED)
  set_target_properties(Halyard::halyard_static PROPERTIES IMPORTED_LOCATION "${HALYARD_TREE}/lib/libhalyard.a"
    INTERFACE_INCLUDE_DIRECTORIES "${HALYARD_TREE}/include" INTERFACE_LINK_LIBRARIES "${HALYARD_STATIC_NEEDS}")
endif()

function(halyard_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ALGORITHM;SCHEDULE" "TARGET;OPTIONS")
  if(NOT arg_ALGORITHM OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "halyard_add_library(${name}): write ALGORITHM file.alg, then SCHEDULE, TARGET or OPTIONS")
  endif()
  if(NOT arg_TARGET)
    set(arg_TARGET host)
  endif()
  list(LENGTH arg_TARGET targets)
  list(GET arg_TARGET 0 first)
  string(REPLACE ";" "," targets_named "${arg_TARGET}")
  set(archive "${name}.a")
  if(targets GREATER 1)
    set(archive "${name}-${first}.a")
  endif()
  get_filename_component(algorithm "${arg_ALGORITHM}" ABSOLUTE)
  set(sources "${algorithm}")
  set(schedule "")
  if(arg_SCHEDULE)
    string(REGEX REPLACE ":[^:/]*$" "" file "${arg_SCHEDULE}")
    get_filename_component(schedule "${arg_SCHEDULE}" ABSOLUTE)
    get_filename_component(file "${file}" ABSOLUTE)
    list(APPEND sources "${file}")
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}.shipped")
  add_custom_command(OUTPUT "${folder}/SHA256SUMS" BYPRODUCTS "${folder}/${archive}"
    COMMAND "${HALYARD_EXECUTABLE}" ship "${algorithm}" ${schedule} -o "${folder}" --name ${name} --target ${targets_named} ${arg_OPTIONS}
    DEPENDS ${sources} "${HALYARD_EXECUTABLE}" COMMENT "halyard ship ${name}" VERBATIM)
  add_custom_target(${name}_shipped ALL DEPENDS "${folder}/SHA256SUMS")
  file(MAKE_DIRECTORY "${folder}")
  add_library(${name} STATIC IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION "${folder}/${archive}"
    INTERFACE_INCLUDE_DIRECTORIES "${folder};${HALYARD_TREE}/include" INTERFACE_LINK_LIBRARIES "Threads::Threads;m"
    HALYARD_FOLDER "${folder}" HALYARD_SOURCES "${algorithm};${schedule}")
  add_dependencies(${name} ${name}_shipped)
endfunction()

function(halyard_add_gate name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LEVEL" "LABELS;OPTIONS")
  if(NOT DEFINED arg_LEVEL)
    set(arg_LEVEL 2)
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS gate)
  endif()
  get_target_property(folder ${name} HALYARD_FOLDER)
  get_target_property(sources ${name} HALYARD_SOURCES)
  add_test(NAME gate_${name} COMMAND "${HALYARD_EXECUTABLE}" gate "${folder}" ${sources} --level ${arg_LEVEL}
    --junit "${CMAKE_CURRENT_BINARY_DIR}/${name}.gate.xml" ${arg_OPTIONS})
  set_tests_properties(gate_${name} PROPERTIES LABELS "${arg_LABELS}")
endfunction()
