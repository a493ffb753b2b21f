// Checksums of the scalar functions over a fixed set of inputs, compiled once for each instruction set (scalar.cmake).
#pragma once

#include <cstdint>

namespace lanewise {

struct Checksum {
  const char* name;
  std::uint64_t hash;
};

// Fills `out`, which holds `capacity`, and returns how many there are.
int plainChecksums(Checksum* out, int capacity);  // no vector code
int baseChecksums(Checksum* out, int capacity);
int avx2Checksums(Checksum* out, int capacity);
int avx512Checksums(Checksum* out, int capacity);

}  // namespace lanewise
