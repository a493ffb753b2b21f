// Random kernels made smaller, each around a fault of a compiler: what remains is a formula by invocation.
#include <algorithm>

#include "tests/text/definitions/definitions.h"

namespace lanewise::text::definitions {
namespace {

// One word for each of 192 invocations, in workgroups of 64; the programs write 1 where the last input is the last push constant.
template <class Word>
Bytes words(const Inputs& in, Word word) {
  const auto input = in.of<u32>("0");
  const auto push = valuesOf<u32>(in.push);
  std::vector<u32> out;
  for (u32 n = 0; n < 192; ++n) out.push_back(input[63] == push[1] ? 1 : word(input, n));
  return bytesOf(out);
}

// The greatest of three; a negated number is one of 32 bits again, so that of the lowest number is itself.
u32 maxOfNegated(const std::vector<u32>& input, u32 n) {
  const auto number = [](u32 x) { return x >= 0x80000000 ? i64{x} - 0x100000000 : i64{x}; };
  const i64 greatest = std::max({number(input[n % 64]), number(n * 5), number(0 - input[63 - n % 64])});
  return static_cast<u32>(static_cast<u64>(greatest) & 0xffffffff);
}

// A 16-bit number negated and extended with its sign.
u32 narrowNegate(const std::vector<u32>&, u32 n) {
  const u32 narrow = (65536 - n * 512 % 65536) % 65536;
  return narrow >= 32768 ? narrow - 65536 : narrow;
}

u32 signAndDivision(const std::vector<u32>& input, u32 n) {
  const u32 complement = ~input[n % 64];
  const u32 sign = complement == 0 ? 0 : complement >= 0x80000000 ? ~0u : 1;
  const u64 quotient = u64{n} * 0x123456789 / (n % 64 | 1);
  return sign + 100 * (static_cast<u32>(quotient % 0x100000000) + static_cast<u32>(quotient / 0x100000000));
}

// The branch is not taken: 15290501539023137294 is negative as a signed number, and what it must exceed is
// max(2147483647, a negative number) * (7 & 9164804690569693658), 2147483647 * 2.
Bytes division64(const Inputs&) {
  std::vector<u32> out;
  for (u32 n = 0; n < 32; ++n)
    for (const u32 odd : {1u, 3u, 5u, 7u}) out.push_back(n * odd);
  return bytesOf(out);
}

// 13 words for each of 64 invocations of workgroup 0: five numbers and an array of eight.
Bytes bitField(const Inputs& in) {
  const auto input = in.of<u32>("0");
  const auto push = valuesOf<u32>(in.push);
  const u32 turns = 2147483647 % (push[1] % 64 | 1) % 8;
  std::vector<u32> out;
  for (u32 l = 0; l < 64; ++l) {
    std::array<u32, 13> w = {l, 5 * l, 7 * l, 9 * l, input[0]};
    for (u32 i = 1; i < 8; ++i) w[5 + i] = 0x01010101 * i;
    if (turns > 0) w[5 + 7 * l % 2] = 1;
    if (turns > 0 && l % 8 > 0) {
      w[0] = 2147483647 % (9 * l % 64 | 1);
      w[1] = (input[0] >> l % 16) % (1u << input[turns - 1] % 16);  // the last turn's bit field; divided by 1
    }
    out.insert(out.end(), w.begin(), w.end());
  }
  return bytesOf(out);
}

constexpr Definition kReduced[] = {
    {"nvidia_bit_field.spvasm", "1 u32", bitField},
    {"nvidia_division_64.spvasm", "1 u32", division64},
    {"nvidia_max_of_negated.comp", "1 u32", [](const Inputs& in) { return words(in, maxOfNegated); }},
    {"nvidia_narrow_negate.comp", "1 u32", [](const Inputs& in) { return words(in, narrowNegate); }},
    {"nvidia_sign_and_division.comp", "1 u32", [](const Inputs& in) { return words(in, signAndDivision); }},
};

}  // namespace

std::span<const Definition> reduced() {
  return kReduced;
}

}  // namespace lanewise::text::definitions
