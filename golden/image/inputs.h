// Test inputs, by name: pictures that each show one kind of error, the same bytes on every host.
//
//   impulse:X,Y      the greatest value at texel (X, Y) in every channel, 0 elsewhere       shows weights, edges, shifts, lost texels
//   constant:V       V in every channel; constant:V,V,.. one a channel                      shows wrong divisors and borders
//   ramp             channel 0 grows with x, 1 with y, 2 with x + y, 3 falls with x         shows swapped axes and channels
//   checkerboard     texels of the greatest value and 0 by (x + y) mod 2; channel 3 inverse shows aliasing, unrolling, parity
//   checkerboard:N   the same with fields of NxN
//   noise:SEED       every component random, all bit patterns alike                         shows nearly everything else
//   extremes:SEED    every component the least or the greatest value, by a random bit       shows overflow and ties ("extremes" is seed 0)
//   list:V,V,..      the values themselves, row by row: one a texel (all its channels), or one a component
//
// Values. Unsigned components run from 0 to their greatest value; the V of constant and list are integers in that range. Float components
// run from 0 to 1: noise is k / 2^24 (f16: k / 2^11), V are decimal numbers; their extremes are drawn from -1, -0, +0, the least normal
// number, the number below 1, 1 and the greatest finite one, and impulse, ramp and checkerboard scale to 1. No input is a NaN, an infinity
// or a denormal.
//
// Random bits: SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014), re-implemented from the published
// recurrence; component i takes output i of the stream that starts at the seed. kInputVersion changes whenever any input's bytes do.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "golden/image/image.h"
#include "model/base/outcome.h"

namespace lanewise::golden {

inline constexpr int kInputVersion = 1;

struct InputSpec {
  enum class Kind : std::uint8_t { kImpulse, kConstant, kRamp, kCheckerboard, kNoise, kExtremes, kList };
  Kind kind = Kind::kNoise;
  std::uint32_t x = 0, y = 0;  // impulse
  std::uint32_t field = 1;     // checkerboard
  std::uint64_t seed = 0;      // noise, extremes
  std::vector<double> values;  // constant, list
  friend bool operator==(const InputSpec&, const InputSpec&) = default;
};

// Reads an input's name; bad input names what is wrong and lists the forms. inputName prints the canonical name: parse(inputName(s)) == s.
Expected<InputSpec> parseInput(std::string_view name);
std::string inputName(const InputSpec& spec);

// Makes the picture. Bad input: an impulse outside it, values out of range or of the wrong number, a shape of 0 texels or 0 channels.
Expected<Image> makeInput(const InputSpec& spec, Extent extent, std::uint32_t channels = 4, Component component = Component::kU8);
Expected<Image> makeInput(std::string_view name, Extent extent, std::uint32_t channels = 4, Component component = Component::kU8);

// The impulses at every texel of a small picture, row by row.
std::vector<InputSpec> impulsesEverywhere(Extent extent);

}  // namespace lanewise::golden
