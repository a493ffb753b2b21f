# The scalar semantics, against references that are not ours.

find_library(LANEWISE_MPFR mpfr REQUIRED)
find_library(LANEWISE_GMP gmp REQUIRED)
lanewise_test(scalar_tests LINK lanewise_contract ${LANEWISE_MPFR} ${LANEWISE_GMP}
  SOURCES scalar_arithmetic_test.cpp scalar_convert_test.cpp scalar_float_ops_test.cpp scalar_integer_test.cpp scalar_pack_test.cpp
    scalar_texel_test.cpp scalar_transcendental_test.cpp)
lanewise_test(format_tests LINK lanewise_contract SOURCES format_table_test.cpp)
