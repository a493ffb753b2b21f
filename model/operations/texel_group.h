// The texels of sixteen lanes at once. Their bytes are read as words of 32 bits and converted component by component, in loops that the
// compiler vectorises. For every format whose components have at most 32 bits.
//
// The rules are those of model/scalar/texel.h; only the order of the loops differs.
#pragma once

#include <tuple>
#include <utility>

#include "model/operations/half_lanes.h"
#include "model/operations/two_rows.h"
#include "model/scalar/texel.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

struct TexelGroup {
  alignas(64) std::uint32_t word[4][kGroup];
};

// The even and the odd ones of 32 words, and back. In registers: who loads a row next would wait for stores of parts of it.
inline std::pair<Words, Words> separated(Words a, Words b) {
  return {__builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30),
          __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)};
}
inline std::pair<Words, Words> interleaved(Words even, Words odd) {
  return {__builtin_shufflevector(even, odd, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
          __builtin_shufflevector(even, odd, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)};
}

// One by one: an array of them would go through memory.
inline Words wordsAt(const std::byte* at) {
  Words words;
  std::memcpy(&words, at, sizeof words);
  return words;
}
inline void putWords(const Words& words, std::uint32_t* at) {
  std::memcpy(at, &words, sizeof words);
}

// Bytes per texel: 1, 2, 4, 8 or 16. Eight neighbours from each place on.
template <std::uint32_t Bytes>
inline void loadRuns(const std::byte* low, const std::byte* high, std::uint32_t (*word)[kGroup]) {
  if constexpr (Bytes < 4) {
    using Code = std::conditional_t<Bytes == 1, std::uint8_t, std::uint16_t>;
    Code codes[kGroup];
    std::memcpy(codes, low, kHalf * Bytes);
    std::memcpy(codes + kHalf, high, kHalf * Bytes);
    for (std::uint32_t k = 0; k < kGroup; ++k) word[0][k] = codes[k];
  } else if constexpr (Bytes == 4) {
    loadTwoRuns(word[0], low, high);
  } else if constexpr (Bytes == 8) {
    const auto [first, second] = separated(wordsAt(low), wordsAt(high));
    putWords(first, word[0]);
    putWords(second, word[1]);
  } else {
    const auto [even, odd] = separated(wordsAt(low), wordsAt(low + sizeof(Words)));
    const auto [evenAfter, oddAfter] = separated(wordsAt(high), wordsAt(high + sizeof(Words)));
    const auto [first, third] = separated(even, evenAfter);
    const auto [second, fourth] = separated(odd, oddAfter);
    putWords(first, word[0]);
    putWords(second, word[1]);
    putWords(third, word[2]);
    putWords(fourth, word[3]);
  }
}
template <std::uint32_t Bytes>
inline void loadRuns(const std::byte* low, const std::byte* high, TexelGroup& t) {
  loadRuns<Bytes>(low, high, t.word);
}
// Sixteen neighbours in a row.
template <std::uint32_t Bytes>
inline void loadRun(const std::byte* first, TexelGroup& t) {
  loadRuns<Bytes>(first, first + kHalf * Bytes, t);
}

template <std::uint32_t Bytes>
inline void storeRun(std::byte* first, const TexelGroup& t) {
  if constexpr (Bytes < 4) {
    using Code = std::conditional_t<Bytes == 1, std::uint8_t, std::uint16_t>;
    Code codes[kGroup];
    for (std::uint32_t k = 0; k < kGroup; ++k) codes[k] = static_cast<Code>(t.word[0][k]);
    std::memcpy(first, codes, sizeof codes);
  } else {
    Words out[Bytes / 4];
    std::memcpy(out, t.word, sizeof out);
    if constexpr (Bytes == 8) std::tie(out[0], out[1]) = interleaved(out[0], out[1]);
    if constexpr (Bytes == 16) {
      const auto [even, evenAfter] = interleaved(out[0], out[2]);
      const auto [odd, oddAfter] = interleaved(out[1], out[3]);
      std::tie(out[0], out[1]) = interleaved(even, odd);
      std::tie(out[2], out[3]) = interleaved(evenAfter, oddAfter);
    }
    std::memcpy(first, out, sizeof out);
  }
}

// One texel of a lane; `at` may be nullptr, which reads 0 and stores nothing.
template <std::uint32_t Bytes>
inline void loadOne(const std::byte* at, TexelGroup& t, std::uint32_t k) {
  alignas(16) static constexpr std::byte kNothing[16] = {};
  std::uint32_t words[(Bytes + 3) / 4] = {};
  std::memcpy(words, at ? at : kNothing, Bytes);
  for (std::uint32_t w = 0; w < (Bytes + 3) / 4; ++w) t.word[w][k] = words[w];
}
template <std::uint32_t Bytes>
inline void storeOne(std::byte* at, const TexelGroup& t, std::uint32_t k) {
  std::uint32_t words[(Bytes + 3) / 4];
  for (std::uint32_t w = 0; w < (Bytes + 3) / 4; ++w) words[w] = t.word[w][k];
  if (at) std::memcpy(at, words, Bytes);
}

// Calls `f` with the texel's size as a constant.
template <class F>
inline void withTexelBytes(std::uint32_t bytes, const F& f) {
  switch (bytes) {
    case 1:
      return f(std::integral_constant<std::uint32_t, 1>{});
    case 2:
      return f(std::integral_constant<std::uint32_t, 2>{});
    case 4:
      return f(std::integral_constant<std::uint32_t, 4>{});
    case 8:
      return f(std::integral_constant<std::uint32_t, 8>{});
    default:
      return f(std::integral_constant<std::uint32_t, 16>{});
  }
}

// Calls `f` with the numeric format as a constant.
template <class F>
inline void withNumeric(NumericFormat n, const F& f) {
  using enum NumericFormat;
  switch (n) {
    case kUnorm:
      return f(std::integral_constant<NumericFormat, kUnorm>{});
    case kSnorm:
      return f(std::integral_constant<NumericFormat, kSnorm>{});
    case kUint:
      return f(std::integral_constant<NumericFormat, kUint>{});
    case kSint:
      return f(std::integral_constant<NumericFormat, kSint>{});
    case kSfloat:
      return f(std::integral_constant<NumericFormat, kSfloat>{});
    case kUfloat:
      return f(std::integral_constant<NumericFormat, kUfloat>{});
    default:
      return f(std::integral_constant<NumericFormat, kSrgb>{});
  }
}

inline bool goesByGroups(const FormatInfo& f) {
  return f.componentBits != 64 && f.numeric != NumericFormat::kSharedExponent;
}

// The words that a group read, and which lanes got a texel. The words of the others are 0, and a code of 0 always means 0.
struct ReadTexels {
  TexelGroup texels;
  alignas(64) std::uint32_t inside[kGroup];
};

// The registers of one operand or result, group after group.
template <class Word>
struct Rows {
  Word* at = nullptr;
  std::size_t step = 0;  // in words
};

// How one component of a format is converted to a register, for all groups of a batch: chosen once per instruction.
template <bool Add>
struct ComponentDecoder {
  // Adds `sum` if there is one.
  void operator()(const ReadTexels* texels, std::uint32_t groups, Rows<const std::uint32_t> sum, Rows<std::uint32_t> out) const {
    run(*this, texels, groups, sum, out);
  }
  std::uint32_t word = 0, mask = 0;  // of the texel; of the code, shifted down
  int bits = 0, shift = 0;
  std::uint32_t absent = 0;  // the value of a component that the format lacks
  void (*run)(const ComponentDecoder&, const ReadTexels*, std::uint32_t, Rows<const std::uint32_t>, Rows<std::uint32_t>) = nullptr;
};

template <bool Add, class Value>
inline void decodeGroups(const ComponentDecoder<Add>& d, const ReadTexels* t, std::uint32_t groups, Rows<const std::uint32_t> sum,
                         Rows<std::uint32_t> out, const Value& value) {
  const std::uint32_t word = d.word;
  for (std::uint32_t g = 0; g < groups; ++g) {
    const std::uint32_t *words = t[g].texels.word[word], *inside = t[g].inside, *plus = sum.at;
    std::uint32_t* to = out.at;
    forget(words, inside, plus, to);
#pragma GCC ivdep
    for (std::uint32_t k = 0; k < kGroup; ++k) to[k] = value(words[k], inside[k]) + (Add ? plus[k] : 0u);
    sum.at += sum.step;
    out.at += out.step;
  }
}

// The numeric format and the rule are constants: a choice inside the loop would prevent vector code.
template <bool Add, NumericFormat N, NormDecode Rule>
inline void decodeCodes(const ComponentDecoder<Add>& d, const ReadTexels* t, std::uint32_t groups, Rows<const std::uint32_t> sum,
                        Rows<std::uint32_t> out) {
  const int bits = d.bits, shift = d.shift;
  const std::uint32_t mask = d.mask;
  decodeGroups(d, t, groups, sum, out, [=](std::uint32_t w, std::uint32_t) {
    constexpr TexelRules rules{.decode = Rule};
    const std::uint32_t code = (w >> shift) & mask;
    if constexpr (N == NumericFormat::kUint) return code;
    if constexpr (N == NumericFormat::kSint)
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(code << (32 - bits)) >> (32 - bits));
    return scalar::detail::decodeComponent(N, rules, code, bits, 0);
  });
}
// Halves, by the host's conversion.
template <bool Add>
inline void decodeHalves(const ComponentDecoder<Add>& d, const ReadTexels* t, std::uint32_t groups, Rows<const std::uint32_t> sum,
                         Rows<std::uint32_t> out) {
  for (std::uint32_t g = 0; g < groups; ++g, sum.at += sum.step, out.at += out.step) {
    alignas(64) std::uint32_t code[kGroup];
    alignas(64) float value[kGroup];
    for (std::uint32_t k = 0; k < kGroup; ++k) code[k] = (t[g].texels.word[d.word][k] >> d.shift) & 0xffffu;
    halvesToFloats(code, value);
    for (std::uint32_t k = 0; k < kGroup; ++k) out.at[k] = scalar::bitsOf(value[k]) + (Add ? sum.at[k] : 0u);
  }
}
template <bool Add>
inline void copyWords(const ComponentDecoder<Add>& d, const ReadTexels* t, std::uint32_t groups, Rows<const std::uint32_t> sum,
                      Rows<std::uint32_t> out) {
  decodeGroups(d, t, groups, sum, out, [](std::uint32_t w, std::uint32_t) { return w; });
}
template <bool Add>
inline void fillAbsent(const ComponentDecoder<Add>& d, const ReadTexels* t, std::uint32_t groups, Rows<const std::uint32_t> sum,
                       Rows<std::uint32_t> out) {
  const std::uint32_t value = d.absent;
  decodeGroups(d, t, groups, sum, out, [value](std::uint32_t, std::uint32_t inside) { return value & inside; });
}

template <bool Add>
using DecodeGroups = void (*)(const ComponentDecoder<Add>&, const ReadTexels*, std::uint32_t, Rows<const std::uint32_t>,
                              Rows<std::uint32_t>);

// Calls `f` with the function that converts component c, as a constant.
template <bool Add, class F>
inline void withDecode(const FormatInfo& format, const TexelRules& rules, std::uint32_t c, const F& f) {
  const int bits = format.layout.bits[c];
  // The alpha of sRGB is UNORM.
  const NumericFormat numeric = format.numeric == NumericFormat::kSrgb && c == 3 ? NumericFormat::kUnorm : format.numeric;
  if (bits == 0) return f(std::integral_constant<DecodeGroups<Add>, &fillAbsent<Add>>{});
  if (bits == 32) return f(std::integral_constant<DecodeGroups<Add>, &copyWords<Add>>{});
  if (numeric == NumericFormat::kSfloat) return f(std::integral_constant<DecodeGroups<Add>, &decodeHalves<Add>>{});
  withNumeric(numeric, [&](auto n) {
    rules.decode == NormDecode::kDivide ? f(std::integral_constant<DecodeGroups<Add>, &decodeCodes<Add, n, NormDecode::kDivide>>{})
                                        : f(std::integral_constant<DecodeGroups<Add>, &decodeCodes<Add, n, NormDecode::kReciprocal>>{});
  });
}

template <bool Add>
inline ComponentDecoder<Add> decoderOf(const FormatInfo& f, const TexelRules& rules, std::uint32_t c) {
  ComponentDecoder<Add> d;
  d.bits = f.layout.bits[c];
  d.shift = f.layout.shift[c] % 32;
  d.word = f.layout.shift[c] / 32u;
  d.mask = static_cast<std::uint32_t>(scalar::detail::lowBits(d.bits));
  d.absent = c < 3 ? 0u : scalar::detail::isInteger(f.numeric) ? 1u : 0x3f800000u;
  withDecode<Add>(f, rules, c, [&](auto decode) { d.run = decode; });
  return d;
}

// Adds component c, whose shader values are `in`, to the group's words, which began as 0.
inline void encodeComponent(const FormatInfo& f, const TexelRules& rules, const std::uint32_t* in, std::uint32_t c, TexelGroup& t) {
  const int bits = f.layout.bits[c], shift = f.layout.shift[c] % 32, component = static_cast<int>(c);
  if (bits == 0) return;
  std::uint32_t* words = t.word[f.layout.shift[c] / 32];
  const auto mask = static_cast<std::uint32_t>(scalar::detail::lowBits(bits));
  if (f.numeric == NumericFormat::kSfloat && bits == 16 && rules.half == Rounding::kToNearestEven) {
    alignas(64) float value[kGroup];
    alignas(64) std::uint32_t code[kGroup];
    for (std::uint32_t k = 0; k < kGroup; ++k) value[k] = scalar::fromBits<float>(in[k]);
    floatsToHalves(value, code);
    for (std::uint32_t k = 0; k < kGroup; ++k) words[k] |= code[k] << shift;
    return;
  }
  withNumeric(f.numeric, [&](auto numeric) {
    constexpr NumericFormat N = numeric;
    if (bits == 32) {
#pragma GCC ivdep
      for (std::uint32_t k = 0; k < kGroup; ++k) words[k] = in[k];
      return;
    }
    const auto codes = [&](auto encode) {  // a constant, so that the loop becomes vector code
      TexelRules own = rules;
      own.encode = encode;
#pragma GCC ivdep
      for (std::uint32_t k = 0; k < kGroup; ++k) {
        std::uint32_t code = in[k];
        if constexpr (!scalar::detail::isInteger(N))
          code = scalar::detail::encodeComponent(N, own, code, bits, component);
        else if (own.saturateIntegers)
          code = static_cast<std::uint32_t>(scalar::detail::saturated(N, code, bits));
        words[k] |= (code & mask) << shift;
      }
    };
    using enum NormEncode;
    rules.encode == kNearestEven ? codes(std::integral_constant<NormEncode, kNearestEven>{})
                                 : codes(std::integral_constant<NormEncode, kTruncated>{});
  });
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
