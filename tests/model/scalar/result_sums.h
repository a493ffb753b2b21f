// Every result of a function as one number, which does not depend on the order in which operands come.
#pragma once

#include <cstdint>

#include "model/scalar/transcendental.h"

namespace lanewise::reference {

inline std::uint64_t termOf(std::uint32_t operand, std::uint32_t result) {
  const std::uint64_t z = (std::uint64_t{operand} << 32 | result) * 0x9e3779b97f4a7c15u;
  return (z ^ (z >> 32)) * 0xbf58476d1ce4e5b9u;
}

struct ResultSum {
  const char* name;
  float (*function)(float);
  std::uint64_t some, all;  // of every 4093rd operand, and of all 2^32; 0: not known
};

// As they were before these functions were written so that compilers make vector code of them (2026-11-26, version 0.1).
inline constexpr ResultSum kResultSums[] = {
    {"sin", scalar::sin<scalar::kStrict, float>, 0x9b9d0b73dc3dd478, 0xeff349e5f3086144},
    {"cos", scalar::cos<scalar::kStrict, float>, 0x5613a14aa3adf8f3, 0xd36f8ee4fda6e10e},
    {"tan", scalar::tan<scalar::kStrict, float>, 0x80cedbf8aacf306f, 0},
    {"asin", scalar::asin<scalar::kStrict, float>, 0x598d5452b32e2ad6, 0},
    {"acos", scalar::acos<scalar::kStrict, float>, 0x7db195787b8796f1, 0},
    {"atan", scalar::atan<scalar::kStrict, float>, 0x72fd22a0dbd1846f, 0},
    {"sinh", scalar::sinh<scalar::kStrict, float>, 0x0f92fcb26645758a, 0},
    {"cosh", scalar::cosh<scalar::kStrict, float>, 0x3b41b4a9d840f097, 0},
    {"tanh", scalar::tanh<scalar::kStrict, float>, 0xfd5a887c49794d8f, 0},
    {"asinh", scalar::asinh<scalar::kStrict, float>, 0xd878c7b5714ee93b, 0},
    {"acosh", scalar::acosh<scalar::kStrict, float>, 0x4ebcf5acbd5f3929, 0},
    {"atanh", scalar::atanh<scalar::kStrict, float>, 0x3f65eb6c0c221f29, 0},
    {"exp", scalar::exp<scalar::kStrict, float>, 0xe58aaf57d92b8598, 0},
    {"log", scalar::log<scalar::kStrict, float>, 0x2f6357f42c380265, 0},
    {"exp2", scalar::exp2<scalar::kStrict, float>, 0x04422122598d2371, 0},
    {"log2", scalar::log2<scalar::kStrict, float>, 0x53d88cffeeba6875, 0},
};

}  // namespace lanewise::reference
