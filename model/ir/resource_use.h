// What a program does with each of its resources, as far as the order of workgroups could show in it (exec/parallel.h).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "model/spirv/module.h"

namespace lanewise::ir {

struct ResourceUse {
  enum How : std::uint8_t {  // bits
    kLoads = 1,
    kStores = 2,
    kSums = 4,  // by atomics of one kind whose results nobody uses
    kSamples = 8,
    kOrdered = 16  // the order shows
  };
  std::uint8_t how = 0;
  std::uint32_t unit = 16;       // bytes that the least load or store takes, a power of two
  bool levels = false;           // of an image: any of its view's, not the first alone
  spv::Op sum = spv::Op::OpNop;  // the atomic that joins them (sumOf)
  std::uint32_t sumBytes = 0;    // of a scalar: 4 or 8

  void access(How what, std::uint32_t bytes) {
    how |= what;
    unit = std::min(unit, std::bit_floor(bytes));
  }
  void add(const ResourceUse& other) {
    const bool same = (how & other.how & kSums) == 0 || (sum == other.sum && sumBytes == other.sumBytes);
    how |= other.how | (same ? 0 : kOrdered);
    unit = std::min(unit, other.unit);
    levels = levels || other.levels;
    if ((other.how & kSums) == 0) return;
    sum = other.sum;
    sumBytes = other.sumBytes;
  }
};

struct ResourceUses {
  std::vector<ResourceUse> all;  // by resource of the program
  bool elsewhere = true;         // the order could show in something else: addresses, pointers as values, printed lines
};

}  // namespace lanewise::ir
