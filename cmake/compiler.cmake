# Compiler settings that every target shares: warnings, no contraction of floating point, ccache, mold, sanitizers.

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

add_link_options(-Wl,--build-id)  # compiled programs on disk belong to one build (model/compiled/identity.h)

# Newer compilers and libraries have warnings that nobody has checked here. They stop a developer's build, not a user's.
option(LANEWISE_WERROR "Warnings are errors: in the presets of developers and CI" OFF)
set(LANEWISE_ERRORS "")
if(LANEWISE_WERROR)
  set(LANEWISE_ERRORS -Werror)
endif()

set(CMAKE_UNITY_BUILD_BATCH_SIZE 32)  # most of the work is reading headers

# For a first build: a third less work, and a program for this machine. Code that needs speed is compiled as usual.
option(LANEWISE_QUICK_BUILD "The operations for this host's processor only, -O1 or -O0 for tools and backend, few precompiled headers" OFF)

add_library(lanewise_options INTERFACE)
target_include_directories(lanewise_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(lanewise_options INTERFACE
  -Wall -Wextra -Wconversion -Wshadow ${LANEWISE_ERRORS} -ffp-contract=off -fno-math-errno -fno-trapping-math)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # ccache keys on the contents of a precompiled header only with this; -Wno-psabi: our 64-byte vectors never cross a public interface.
  target_compile_options(lanewise_options INTERFACE -fpch-preprocess -Wno-psabi)
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # For the fuzzers. The tables of operations are made by the compiler, in many steps; the rest clang warns of and gcc does not.
  target_compile_options(lanewise_options INTERFACE -fconstexpr-steps=100000000 -Wno-unknown-warning-option -Wno-unknown-pragmas
    -Wno-invalid-constexpr -Wno-sign-conversion -Wno-psabi)
endif()

if(LANEWISE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()
if(LANEWISE_SANITIZE)
  add_compile_options(-fsanitize=${LANEWISE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${LANEWISE_SANITIZE})
endif()

# What goes into the shared library (library/) too: position-independent, and nothing is seen from outside that library/ does not name.
set(LANEWISE_SHARABLE -fPIC -fvisibility=hidden)

# The precompiled standard headers; in a quick build those of the first library that needs them with the same options.
function(lanewise_headers name)
  get_property(options TARGET ${name} PROPERTY COMPILE_OPTIONS)
  string(MAKE_C_IDENTIFIER "${options}" options)
  get_property(begun GLOBAL PROPERTY LANEWISE_HEADERS_BEGUN)
  string(PREPEND options "${begun}")
  get_property(first GLOBAL PROPERTY LANEWISE_HEADERS_OF_${options})
  if(LANEWISE_QUICK_BUILD AND first)
    target_precompile_headers(${name} REUSE_FROM ${first})
  else()
    target_precompile_headers(${name} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/precompiled.h)
    set_property(GLOBAL PROPERTY LANEWISE_HEADERS_OF_${options} ${name})
  endif()
endfunction()

# From here on libraries do not take the headers of those before, which a first build leaves out.
function(lanewise_begin_headers)
  set_property(GLOBAL PROPERTY LANEWISE_HEADERS_BEGUN again_)
endfunction()

# Code that works for a person at a time, not for each case: a quick build does not optimise it.
function(lanewise_cold name)
  if(LANEWISE_QUICK_BUILD)
    target_compile_options(${name} PRIVATE -O0)
  endif()
endfunction()

# lanewise_library(NAME [OBJECTS] [SHARABLE | COLD] [HEADER header] SOURCES...): a static library, or objects for others, with the shared
# options and the precompiled standard headers, and `header` with them.
function(lanewise_library name)
  cmake_parse_arguments(L "OBJECTS;SHARABLE;COLD" "HEADER" "" ${ARGN})
  set(kind STATIC)
  if(L_OBJECTS)
    set(kind OBJECT)
  endif()
  add_library(${name} ${kind} ${L_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC lanewise_options)
  if(L_SHARABLE)
    target_compile_options(${name} PRIVATE ${LANEWISE_SHARABLE})
  endif()
  if(L_COLD)
    lanewise_cold(${name})
  endif()
  if(L_HEADER)
    target_precompile_headers(${name} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/precompiled.h ${L_HEADER})
  else()
    lanewise_headers(${name})
  endif()
endfunction()
