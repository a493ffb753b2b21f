#include "model/ir/undefined_bytes.h"

#include <bit>

namespace lanewise::ir {
namespace {

// The bytes of `bits` that are equal to `value`.
ByteMask bytesThatAre(std::uint64_t bits, std::uint8_t value) {
  ByteMask out = 0;
  for (std::uint32_t i = 0; i < 8; ++i)
    if (static_cast<std::uint8_t>(bits >> (8 * i)) == value) out |= static_cast<ByteMask>(1u << i);
  return out;
}

// A defined byte that decides by itself: 0 for "and", 255 for "or".
ByteMask unlessDecided(const PartlyUndefined& o, std::uint8_t decides) {
  const auto open = [&](std::size_t i, std::size_t other) {
    return o.undefined[i] & static_cast<ByteMask>(~(bytesThatAre(o.bits[other], decides) & ~o.undefined[other]));
  };
  return static_cast<ByteMask>(open(0, 1) | open(1, 0));
}

// Each undefined byte as eight bits, and back: a byte with one undefined bit is undefined.
std::uint64_t asBits(ByteMask bytes) {
  std::uint64_t out = 0;
  for (std::uint32_t i = 0; i < 8; ++i)
    if (bytes >> i & 1) out |= std::uint64_t{0xff} << (8 * i);
  return out;
}
ByteMask asBytes(std::uint64_t bits) {
  return static_cast<ByteMask>(~bytesThatAre(bits, 0));
}

std::uint64_t lowBits(std::uint64_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

// From the lowest undefined byte up: carries go no other way.
ByteMask upFrom(ByteMask undefined, ByteMask all) {
  return undefined == 0 ? ByteMask{0} : static_cast<ByteMask>(all & ~((1u << std::countr_zero(undefined)) - 1));
}

ByteMask shifted(Spread how, const PartlyUndefined& o, ByteMask all) {
  if (o.undefined[1] != 0) return all;
  const std::uint64_t bits = asBits(o.undefined[0]), n = o.bits[1];
  if (n >= 8 * std::uint64_t{scalarBytes(o.types[0])}) return 0;
  if (how == Spread::kShiftedLeft) return static_cast<ByteMask>(asBytes(bits << n) & all);
  const bool sign = how == Spread::kShiftedSigned && (bits >> (8 * scalarBytes(o.types[0]) - 1) & 1) != 0;
  return sign ? static_cast<ByteMask>(asBytes((bits >> n) | ~(lowBits(8 * scalarBytes(o.types[0])) >> n)) & all)
              : static_cast<ByteMask>(asBytes(bits >> n) & all);
}

ByteMask joined(const PartlyUndefined& o) {
  std::uint32_t out = 0, at = 0;
  for (std::size_t i = 0; i < o.types.size(); at += scalarBytes(o.types[i++])) out |= std::uint32_t{o.undefined[i]} << at;
  return static_cast<ByteMask>(out);
}

ByteMask extended(const PartlyUndefined& o, ByteMask all, bool bySign) {
  const ByteMask own = allBytes(o.types[0]);
  const bool top = (o.undefined[0] & (own ^ (own >> 1))) != 0;
  return static_cast<ByteMask>(all & (o.undefined[0] | (bySign && top ? ~own : 0)));
}

ByteMask extracted(Spread how, const PartlyUndefined& o, ByteMask all) {
  if ((o.undefined[1] | o.undefined[2]) != 0) return all;
  const std::uint64_t field = o.bits[1] >= 64 ? 0 : asBits(o.undefined[0]) >> o.bits[1] & lowBits(o.bits[2]);
  if (field == 0) return 0;
  return how == Spread::kSignedField ? all : static_cast<ByteMask>(asBytes(field) & all);
}

ByteMask inserted(const PartlyUndefined& o, ByteMask all) {
  if ((o.undefined[2] | o.undefined[3]) != 0) return all;
  const std::uint64_t field = o.bits[2] >= 64 ? 0 : lowBits(o.bits[3]) << o.bits[2];
  const std::uint64_t bits = (asBits(o.undefined[0]) & ~field) | (o.bits[2] >= 64 ? 0 : asBits(o.undefined[1]) << o.bits[2] & field);
  return static_cast<ByteMask>(asBytes(bits) & all);
}

ByteMask anyOf(const PartlyUndefined& o) {
  ByteMask any = 0;
  for (const ByteMask m : o.undefined) any |= m;
  return any;
}

}  // namespace

ByteMask undefinedBytes(Spread spread, Scalar result, const PartlyUndefined& o) {
  const ByteMask all = allBytes(result), any = anyOf(o);
  if (any == 0) return 0;
  switch (spread) {
    case Spread::kToAll:
      return all;
    case Spread::kToItsOwn:
      return any;
    case Spread::kUnless0:
    case Spread::kUnless1: {
      const ByteMask open = unlessDecided(o, spread == Spread::kUnless0 ? 0 : 0xff);
      return result == Scalar::kBool && open != 0 ? all : open;
    }
    case Spread::kUp:
      return upFrom(any, all);
    case Spread::kProduct: {
      const auto isZero = [&](std::size_t i) { return o.undefined[i] == 0 && o.bits[i] == 0; };
      return isZero(0) || isZero(1) ? ByteMask{0} : upFrom(any, all);
    }
    case Spread::kOfChosen:
      return o.undefined[0] != 0 ? all : o.undefined[o.bits[0] != 0 ? 1 : 2];
    case Spread::kExtended:
    case Spread::kSignExtended:
      return extended(o, all, spread == Spread::kSignExtended);
    case Spread::kJoined:
      return joined(o);
    case Spread::kPart:
      if (o.undefined[1] != 0 || o.bits[1] * scalarBytes(result) >= scalarBytes(o.types[0])) return all;
      return static_cast<ByteMask>(all & (o.undefined[0] >> (o.bits[1] * scalarBytes(result))));
    case Spread::kShiftedLeft:
    case Spread::kShiftedRight:
    case Spread::kShiftedSigned:
      return shifted(spread, o, all);
    case Spread::kField:
    case Spread::kSignedField:
      return extracted(spread, o, all);
    case Spread::kInserted:
      return inserted(o, all);
  }
  return all;
}

}  // namespace lanewise::ir
