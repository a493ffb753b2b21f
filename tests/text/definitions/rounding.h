// Rounding to whole numbers and to halves, from the words of IEEE 754.
#pragma once

#include "tests/text/definitions/definitions.h"

namespace lanewise::text::definitions {

// The whole number towards zero, not above x, not below x, and the nearest: of two as near the even one.
double towardsZero(double x);
double below(double x);
double above(double x);
double nearest(double x);

// The bits of the nearest half: 11 bits, steps of 2^-24 at least; 65520 and more are infinite.
u32 half(double x);

// The number that the bits of a half mean; NaN is not asked for.
double halfValue(u32 bits);

}  // namespace lanewise::text::definitions
