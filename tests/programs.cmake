# The text programs: GLSL compiled once here, assembly at run time. Names that begin with "source_" keep their author's variables and text.
find_package(SPIRV-Tools-opt REQUIRED)
find_package(fmt REQUIRED)
file(GLOB programs RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/programs CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/programs/*.comp)
set(compiled "")
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/programs)
foreach(program IN LISTS programs)
  set(spv ${CMAKE_CURRENT_BINARY_DIR}/programs/${program}.spv)
  set(debug -g)
  if(program MATCHES "^source_")
    set(debug -gVS)
  endif()
  add_custom_command(OUTPUT ${spv}
    COMMAND ${GLSLANG} --quiet ${debug} -V --target-env vulkan1.3 ${program} -o ${spv}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/programs
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/programs/${program}
    COMMENT "SPIR-V ${program}" VERBATIM)
  list(APPEND compiled ${spv})
endforeach()
add_custom_target(text_programs DEPENDS ${compiled})
lanewise_library(lanewise_text HEADER <sstream> text/program_modules.cpp text/program_text.cpp
  text/definitions/control_flow.cpp
  text/definitions/definitions.cpp
  text/definitions/floats.cpp
  text/definitions/integers.cpp
  text/definitions/joined.cpp
  text/definitions/reduced.cpp
  text/definitions/rounding.cpp
  text/definitions/samplers.cpp
  text/definitions/subgroups.cpp
)
add_dependencies(lanewise_text text_programs)
target_link_libraries(lanewise_text PUBLIC lanewise_contract fmt::fmt PRIVATE SPIRV-Tools-opt SPIRV-Tools-static)
target_compile_definitions(lanewise_text PRIVATE
  LANEWISE_PROGRAMS="${CMAKE_CURRENT_SOURCE_DIR}/programs" LANEWISE_COMPILED_PROGRAMS="${CMAKE_CURRENT_BINARY_DIR}/programs")
lanewise_test(model_text_tests LINK lanewise_model lanewise_text SPIRV-Tools-static
  SOURCES
    model/check/last_writers_test.cpp
    model/compiled/tiers_test.cpp
    model/check/paged_shadow_test.cpp
    model/check/race_checker_test.cpp
    model/check/race_clock_test.cpp
    model/check/race_sieve_test.cpp
    model/exec/limits_test.cpp
    model/exec/observer_test.cpp
    model/exec/saved_state_test.cpp
    model/exec/steps_test.cpp
    model/exec/strands_test.cpp
    model/exec/turns_test.cpp
    model/exec/together_text_test.cpp
    model/exec/waits_test.cpp
    model/fuzz_test.cpp
    model/ir/rows/definedness_test.cpp
    model/ir/undefined_bytes_test.cpp
    model/memory/outside_test.cpp
    model/patch/patch_test.cpp
    model/program/flavour_test.cpp
    model/program/kinds_test.cpp
    model/program/order_test.cpp
    model/program/path_test.cpp
    model/program/joined_test.cpp
    model/program/undefined_test.cpp
    model/program/unroll_test.cpp
    model/spirv/debug_info_test.cpp
    model/spirv/newer_test.cpp
    model/spirv/source_words_test.cpp
    model/spirv/uses_test.cpp
    model/state/variables_test.cpp
    model/state/workgroup_test.cpp
    model/text_test.cpp
    text/definitions_test.cpp
)
add_test(NAME nightly.tiers CONFIGURATIONS nightly COMMAND model_text_tests --gtest_filter=*Tiers*)
set_tests_properties(nightly.tiers PROPERTIES LABELS nightly TIMEOUT 7200 ENVIRONMENT "LANEWISE_TIERS=all;LANEWISE_NO_CACHE=1")
# It tells the checkers millions of events itself.
set_source_files_properties(model/check/race_sieve_test.cpp PROPERTIES COMPILE_OPTIONS -O2 SKIP_PRECOMPILE_HEADERS ON)
# Debugging sessions.
lanewise_test(debug_tests LINK lanewise_model lanewise_text lanewise_test_kernels lanewise_subject SPIRV-Tools-static fmt::fmt SOURCES
  model/debug/abort_test.cpp model/debug/any_program_test.cpp model/debug/arithmetic_test.cpp model/debug/expression_test.cpp model/debug/hurry_test.cpp
  model/debug/last_store_test.cpp model/debug/session_test.cpp model/debug/survey_test.cpp model/debug/timeline_test.cpp)

if(LANEWISE_GPU)
  lanewise_test(device_text_tests LINK lanewise_gpu lanewise_model lanewise_text lanewise_test_kernels fmt::fmt ${LANEWISE_MPFR} ${LANEWISE_GMP}
    SOURCES gpu/device_text_test.cpp gpu/outside_device_test.cpp gpu/sample_device_test.cpp)
  lanewise_runs(device_text_tests lanewise-worker)

  # What a module needs to run: the one reader, and everything that uses it.
  find_package(nlohmann_json REQUIRED)
  lanewise_test(interface_tests LINK lanewise_run lanewise_vulkan lanewise_text lanewise_test_kernels lanewise_shaders fmt::fmt
    nlohmann_json::nlohmann_json
    SOURCES model/spirv/interface_test.cpp model/spirv/one_reader_test.cpp tools/run/same_interface_test.cpp)

  # Random kernels: the model in every variant and the devices; many of them at night.
  lanewise_library(lanewise_random random/assembly.cpp random/generate.cpp random/job.cpp random/operations.cpp random/rewrite.cpp
    random/shrink.cpp
    random/text.cpp random/uses.cpp)
  target_link_libraries(lanewise_random PUBLIC lanewise_contract fmt::fmt PRIVATE SPIRV-Tools-static)
  lanewise_test(random_tests COST 40 LINK lanewise_model lanewise_gpu lanewise_text lanewise_random lanewise_test_kernels SOURCES random/random_kernels_test.cpp)
  lanewise_runs(random_tests lanewise-worker)
  # Every pinned operation, one by one, on the devices; a million operands for each at night.
  lanewise_library(lanewise_operations operations/module.cpp operations/operands.cpp operations/table.cpp)
  target_link_libraries(lanewise_operations PUBLIC lanewise_random ${LANEWISE_MPFR} ${LANEWISE_GMP} PRIVATE SPIRV-Tools-static)
  lanewise_test(operation_tests OPTIMISED LINK lanewise_model lanewise_gpu lanewise_operations lanewise_test_kernels SOURCES
    gpu/operation_device_test.cpp)
  lanewise_runs(operation_tests lanewise-worker)
  add_test(NAME nightly.operations CONFIGURATIONS nightly COMMAND operation_tests)
  set_tests_properties(nightly.operations PROPERTIES LABELS nightly TIMEOUT 14400 ENVIRONMENT "LANEWISE_OPERANDS=1048576")
  add_test(NAME nightly.random_kernels CONFIGURATIONS nightly COMMAND random_tests)
  set_tests_properties(nightly.random_kernels PROPERTIES LABELS nightly TIMEOUT 14400 ENVIRONMENT "LANEWISE_RANDOM_KERNELS=10000")
endif()

# Weak memory, every order of turns, and the sieve for races, on the litmus programs as kernels.
lanewise_test(weak_memory_tests LINK lanewise_model lanewise_text lanewise_test_kernels SPIRV-Tools-static
  SOURCES
    model/check/litmus.cpp
    model/check/litmus_kernel.cpp
    model/check/random_races_test.cpp
    model/exec/weak_memory_test.cpp
    model/explore_orders_test.cpp
    model/explore_test.cpp
)
target_compile_definitions(weak_memory_tests PRIVATE LANEWISE_LITMUS="${CMAKE_CURRENT_SOURCE_DIR}/litmus")
add_test(NAME nightly.random_races CONFIGURATIONS nightly COMMAND weak_memory_tests --gtest_filter=SievedKernels.*)
set_tests_properties(nightly.random_races PROPERTIES LABELS nightly TIMEOUT 7200 ENVIRONMENT "LANEWISE_RANDOM_RACES=20000")
