# Kernels: GLSL is compiled to SPIR-V with debug information, validated, and embedded in the program as words. The file names inside the
# debug information are relative to shaders/, so that the bytes are the same in every checkout.

find_program(GLSLANG glslangValidator REQUIRED)
find_program(SPIRV_VAL spirv-val REQUIRED)

# lanewise_kernels(NAME [FUNCTION embeddedModules] FILES files...): library NAME with one generated source per kernel. FUNCTION (declared in
# embedded.h or in the same way) returns them, named by file without .comp. A file that is built more than once is listed once per module as
# "MODULE=FILE DEFINITION...": "blur_x8=blur.comp UNROLL=8" is the module blur_x8, compiled with -DUNROLL=8.
function(lanewise_kernels name)
  cmake_parse_arguments(K "" "FUNCTION" "FILES" ${ARGN})
  set(LANEWISE_KERNEL_FUNCTION embeddedModules)
  if(K_FUNCTION)
    set(LANEWISE_KERNEL_FUNCTION ${K_FUNCTION})
  endif()
  set(sources "")
  set(table "")
  set(externs "")
  foreach(file IN LISTS K_FILES)
    set(definitions "")
    string(REGEX REPLACE "\\.comp$" "" stem ${file})
    if(file MATCHES "^([^=]+)=([^ ]+)(.*)$")
      set(stem ${CMAKE_MATCH_1})
      set(file ${CMAKE_MATCH_2})
      string(REGEX REPLACE " +" ";-D" definitions "${CMAKE_MATCH_3}")
    endif()
    string(MAKE_C_IDENTIFIER ${stem} symbol)
    set(spv ${CMAKE_CURRENT_BINARY_DIR}/${stem}.spv)
    get_filename_component(folder ${spv} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    file(GLOB includes CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.glsl ${CMAKE_CURRENT_SOURCE_DIR}/*/*.glsl)
    add_custom_command(OUTPUT ${spv}
      COMMAND ${GLSLANG} --quiet -V --target-env vulkan1.3 -gVS -I. ${definitions} ${file} -o ${spv}
      COMMAND ${SPIRV_VAL} --target-env vulkan1.3 --scalar-block-layout ${spv}
      WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
      DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${includes}
      COMMENT "SPIR-V ${stem}" VERBATIM)
    list(APPEND sources ${spv})
    string(APPEND externs "LANEWISE_EMBED(k_${symbol}, \"${spv}\")\n")
    string(APPEND table "      {\"${stem}\", {k_${symbol}, k_${symbol}_end}},\n")
  endforeach()
  set(LANEWISE_KERNEL_WORDS "${externs}")
  set(LANEWISE_KERNEL_TABLE "${table}")
  configure_file(${CMAKE_SOURCE_DIR}/shaders/embedded.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/embedded.cpp @ONLY)
  # Alone: a file of several sources would not know on which modules one of them depends.
  set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/embedded.cpp PROPERTIES OBJECT_DEPENDS "${sources}" SKIP_UNITY_BUILD_INCLUSION ON)
  add_library(${name} STATIC ${CMAKE_CURRENT_BINARY_DIR}/embedded.cpp)  # one small header: nothing to precompile
  target_link_libraries(${name} PUBLIC lanewise_options)
endfunction()
