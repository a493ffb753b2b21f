# Compiler settings that every target shares: warnings as errors, no contraction of floating point, ccache, mold, sanitizers.

find_program(LANEWISE_CCACHE ccache)
if(LANEWISE_CCACHE)
  # Precompiled headers and ccache agree only with these two relaxations; the base directory lets checkouts share the cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=true ${LANEWISE_CCACHE})
endif()

find_program(LANEWISE_MOLD mold)
if(LANEWISE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

add_library(lanewise_options INTERFACE)
target_include_directories(lanewise_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(lanewise_options INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Werror -ffp-contract=off -fno-math-errno -fno-trapping-math)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # ccache keys on the contents of a precompiled header only with this; -Wno-psabi: our 64-byte vectors never cross a public interface.
  target_compile_options(lanewise_options INTERFACE -fpch-preprocess -Wno-psabi)
endif()

if(LANEWISE_SANITIZE)
  add_compile_options(-fsanitize=${LANEWISE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${LANEWISE_SANITIZE})
endif()

# lanewise_library(NAME SOURCES...): a static library with the shared options and the precompiled standard headers.
function(lanewise_library name)
  add_library(${name} STATIC ${ARGN})
  target_link_libraries(${name} PUBLIC lanewise_options)
  target_precompile_headers(${name} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/precompiled.h)
endfunction()
