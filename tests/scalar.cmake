# The scalar semantics, compared with independent references.

find_library(LANEWISE_MPFR mpfr REQUIRED)
find_library(LANEWISE_GMP gmp REQUIRED)

# lanewise_scalar_isa(NAME OPTIONS...): the checksums compiled for one instruction set, optimised in every preset, so that vector code is what is checked.
function(lanewise_scalar_isa name)
  add_library(scalar_isa_${name} OBJECT model/scalar/isa_checksums.cpp)
  target_link_libraries(scalar_isa_${name} PRIVATE lanewise_options)
  target_compile_definitions(scalar_isa_${name} PRIVATE LANEWISE_CHECKSUMS=${name}Checksums LANEWISE_ISA=${name})
  target_compile_options(scalar_isa_${name} PRIVATE -O3 ${ARGN})
endfunction()
lanewise_scalar_isa(plain -O1 -fno-tree-vectorize)
lanewise_scalar_isa(base)
lanewise_scalar_isa(avx2 -mavx2 -mfma -mf16c)
lanewise_scalar_isa(avx512 -march=x86-64-v4)

lanewise_test(scalar_tests OPTIMISED
  LINK lanewise_contract ${LANEWISE_MPFR} ${LANEWISE_GMP} scalar_isa_plain scalar_isa_base scalar_isa_avx2 scalar_isa_avx512
  SOURCES
    model/contract/profiles_test.cpp
    model/scalar/arithmetic_test.cpp
    model/scalar/convert_test.cpp
    model/scalar/float_ops_test.cpp
    model/scalar/integer_test.cpp
    model/scalar/isa_test.cpp
    model/scalar/pack_test.cpp
    model/scalar/sampling_test.cpp
    model/scalar/texel_test.cpp
    model/scalar/transcendental_test.cpp
)
target_compile_definitions(scalar_tests PRIVATE LANEWISE_MODEL_PAGE="${CMAKE_SOURCE_DIR}/docs/model.md")
lanewise_test(format_tests OPTIMISED LINK lanewise_contract SOURCES model/contract/format_table_test.cpp)

# Sweeps over all 2^32 inputs: `ctest -L nightly -C nightly`, which a plain ctest leaves out.
add_executable(scalar_nightly model/scalar/nightly.cpp)
target_link_libraries(scalar_nightly PRIVATE lanewise_contract ${LANEWISE_MPFR} ${LANEWISE_GMP} GTest::gtest_main Threads::Threads)
target_precompile_headers(scalar_nightly REUSE_FROM lanewise_test_headers_optimised)
add_test(NAME scalar_nightly COMMAND scalar_nightly CONFIGURATIONS nightly)
set_tests_properties(scalar_nightly PROPERTIES LABELS nightly TIMEOUT 7200)
