// Booleans, selection, bit casts, packing of scalars into wider ones, subgroup lane masks (SPIR-V 1.6, 3.42.11, 3.42.15).
#include "model/operations/elementwise.h"
#include "model/operations/ops.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

using spv::Op;

template <class T>
void addSelect(OpTable& t) {
  row<T, bool, T, T>(t, Op::OpSelect, [](bool c, T a, T b) { return c ? a : b; });
}

// The same bits in another type of the same width.
template <class To, class From>
void addCast(OpTable& t) {
  row<To, From>(t, Op::OpBitcast, [](From x) { return std::bit_cast<To>(x); });
}

template <class To, class From>
void addCasts(OpTable& t) {
  addCast<To, From>(t);
  addCast<From, To>(t);
  addCast<To, To>(t);
  addCast<From, From>(t);
}

template <class Wide, class Narrow>
void addPacks(OpTable& t) {
  constexpr std::uint32_t kBits = sizeof(Narrow) * 8;
  using Word = LaneOf<Wide>;
  row<Narrow, Wide, std::uint32_t>(t, ir::kUnpack, [](Wide wide, std::uint32_t part) {
    return fromLane<Narrow>(static_cast<LaneOf<Narrow>>(static_cast<Word>(toLane<Wide>(wide) >> (part * kBits))));
  });
  if constexpr (sizeof(Wide) == 2 * sizeof(Narrow)) {
    row<Wide, Narrow, Narrow>(t, ir::kPack, [](Narrow low, Narrow high) {
      return fromLane<Wide>(static_cast<Word>(toLane<Narrow>(low)) | static_cast<Word>(static_cast<Word>(toLane<Narrow>(high)) << kBits));
    });
  } else if constexpr (sizeof(Wide) == 4 * sizeof(Narrow)) {
    row<Wide, Narrow, Narrow, Narrow, Narrow>(t, ir::kPack, [](Narrow a, Narrow b, Narrow c, Narrow d) {
      return fromLane<Wide>(static_cast<Word>(toLane<Narrow>(a)) | static_cast<Word>(static_cast<Word>(toLane<Narrow>(b)) << kBits) |
                            static_cast<Word>(static_cast<Word>(toLane<Narrow>(c)) << (2 * kBits)) |
                            static_cast<Word>(static_cast<Word>(toLane<Narrow>(d)) << (3 * kBits)));
    });
  }
}

// One word of SubgroupEqMask and its kin: which lanes of the subgroup stand in the relation to this one.
std::uint32_t subgroupMask(std::uint32_t lane, std::uint32_t what) {
  const auto builtin = static_cast<spv::BuiltIn>(what >> 16);
  const std::uint32_t word = what >> 8 & 0xff, size = what & 0xff;
  std::uint32_t mask = 0;
  for (std::uint32_t bit = 0; bit < 32; ++bit) {
    const std::uint32_t other = word * 32 + bit;
    if (other >= size) break;
    const bool in = builtin == spv::BuiltIn::SubgroupEqMask   ? other == lane
                    : builtin == spv::BuiltIn::SubgroupGeMask ? other >= lane
                    : builtin == spv::BuiltIn::SubgroupGtMask ? other > lane
                    : builtin == spv::BuiltIn::SubgroupLeMask ? other <= lane
                                                              : other < lane;
    mask |= static_cast<std::uint32_t>(in) << bit;
  }
  return mask;
}

}  // namespace

void addLogicRows(OpTable& t) {
  using scalar::Half;
  row<bool, bool, bool>(t, Op::OpLogicalEqual, [](bool a, bool b) { return a == b; });
  row<bool, bool, bool>(t, Op::OpLogicalNotEqual, [](bool a, bool b) { return a != b; });
  row<bool, bool, bool>(t, Op::OpLogicalOr, [](bool a, bool b) { return a || b; });
  row<bool, bool, bool>(t, Op::OpLogicalAnd, [](bool a, bool b) { return a && b; });
  row<bool, bool>(t, Op::OpLogicalNot, [](bool a) { return !a; });

  row<bool, bool, bool, bool>(t, Op::OpSelect, [](bool c, bool a, bool b) { return (c & a) | (!c & b); });  // without a branch
  addSelect<std::uint8_t>(t);
  addSelect<std::uint16_t>(t);
  addSelect<std::uint32_t>(t);
  addSelect<std::uint64_t>(t);
  // Floats are selected as bits, so that a NaN keeps its payload.
  row<Half, bool, Half, Half>(t, Op::OpSelect, [](bool c, Half a, Half b) { return Half{c ? a.bits : b.bits}; });
  row<float, bool, float, float>(t, Op::OpSelect, [](bool c, float a, float b) {
    return std::bit_cast<float>(c ? std::bit_cast<std::uint32_t>(a) : std::bit_cast<std::uint32_t>(b));
  });
  row<double, bool, double, double>(t, Op::OpSelect, [](bool c, double a, double b) {
    return std::bit_cast<double>(c ? std::bit_cast<std::uint64_t>(a) : std::bit_cast<std::uint64_t>(b));
  });

  addCasts<std::uint16_t, Half>(t);
  addCasts<std::uint32_t, float>(t);
  addCasts<std::uint64_t, double>(t);
  addCast<std::uint8_t, std::uint8_t>(t);
  addPacks<std::uint16_t, std::uint8_t>(t);
  addPacks<Half, std::uint8_t>(t);
  addPacks<std::uint32_t, std::uint8_t>(t);
  addPacks<std::uint32_t, std::uint16_t>(t);
  addPacks<std::uint32_t, Half>(t);
  addPacks<float, std::uint8_t>(t);
  addPacks<float, std::uint16_t>(t);
  addPacks<float, Half>(t);
  addPacks<std::uint64_t, std::uint16_t>(t);
  addPacks<std::uint64_t, Half>(t);
  addPacks<std::uint64_t, std::uint32_t>(t);
  addPacks<std::uint64_t, float>(t);
  addPacks<double, std::uint16_t>(t);
  addPacks<double, Half>(t);
  addPacks<double, std::uint32_t>(t);
  addPacks<double, float>(t);
  row<std::uint32_t, std::uint32_t, std::uint32_t>(t, ir::kSubgroupMask,
                                                   [](std::uint32_t lane, std::uint32_t what) { return subgroupMask(lane, what); });
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
