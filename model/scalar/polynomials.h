// Polynomials and constants of transcendental.h: Chebyshev fits computed at 400 bits of precision, highest power first. Relative error of
// the function each serves: below 2^-54. The tests check the functions, not these numbers.
#pragma once

#include <cstdint>

namespace lanewise::scalar {

// clang-format off
// (e^r - 1 - r) / r^2 for |r| <= ln(2)/2.
inline constexpr double kExp[] = {
    0x1.1f730349868cep-29,
    0x1.af4de97ca4194p-26,
    0x1.27e4db646b17ep-22,
    0x1.71de0231960ebp-19,
    0x1.a01a01a6d889cp-16,
    0x1.a01a01abe7fe1p-13,
    0x1.6c16c16c162d4p-10,
    0x1.11111111100dcp-7,
    0x1.5555555555556p-5,
    0x1.5555555555557p-3,
    0x1.0000000000000p-1,
};

// (ln((1+s)/(1-s)) - 2s) / s^3 in s^2 for |s| <= (sqrt(2)-1)/(sqrt(2)+1).
inline constexpr double kLog[] = {
    0x1.e6b14bf9246a8p-4,
    0x1.debeb0e5d974ap-4,
    0x1.111d2832da632p-3,
    0x1.3b137b2ece4bcp-3,
    0x1.745d17d365b46p-3,
    0x1.c71c71c64c6c3p-3,
    0x1.249249249295ap-2,
    0x1.9999999999998p-2,
    0x1.5555555555555p-1,
};

// (sin(r) - r) / r^3 in r^2 for |r| <= pi/4.
inline constexpr double kSin[] = {
    -0x1.ab17bdcbd3414p-41,
    0x1.61217ee5cca1bp-33,
    -0x1.ae64541295cdfp-26,
    0x1.71de3a54607a5p-19,
    -0x1.a01a01a019937p-13,
    0x1.1111111111110p-7,
    -0x1.5555555555555p-3,
};

// (cos(r) - 1 + r^2/2) / r^4 in r^2 for |r| <= pi/4.
inline constexpr double kCos[] = {
    0x1.ab78473be59d7p-45,
    -0x1.9394b9eb4d56dp-37,
    0x1.1eed8deb82809p-29,
    -0x1.27e4fb7712ca2p-22,
    0x1.a01a01a019d0ap-16,
    -0x1.6c16c16c16c16p-10,
    0x1.5555555555555p-5,
};

// (atan(t) - t) / t^3 in t^2 for |t| <= tan(pi/8).
inline constexpr double kAtan[] = {
    0x1.0acd9e91a5a35p-6,
    -0x1.1b311bb48c215p-5,
    0x1.74dccfb93fff0p-5,
    -0x1.ac7a5a79b3f26p-5,
    0x1.e19a0bfa3eef9p-5,
    -0x1.110e87b4357d2p-4,
    0x1.3b1392d519db1p-4,
    -0x1.745d165dc9713p-4,
    0x1.c71c71c303dbbp-4,
    -0x1.249249248d7dcp-3,
    0x1.9999999999953p-3,
    -0x1.5555555555555p-2,
};

// (asin(t) - t) / t^3 in t^2 for |t| <= 1/2.
inline constexpr double kAsin[] = {
    0x1.d740c186774e6p-6,
    -0x1.e6e88b206c008p-7,
    0x1.1d2bf155e179bp-6,
    0x1.658dfce473d31p-8,
    0x1.524531b63d660p-7,
    0x1.7825d9451f744p-7,
    0x1.c9cf136046bc0p-7,
    0x1.1c4d356bbbd3ep-6,
    0x1.6e8bb1cc3c04bp-6,
    0x1.f1c71c1d96fc9p-6,
    0x1.6db6db6e32199p-5,
    0x1.3333333332ec8p-4,
    0x1.5555555555556p-3,
};

// (sinh(x) - x) / x^3 in x^2 for |x| <= 1.
inline constexpr double kSinh[] = {
    0x1.99f0806c2628dp-49,
    0x1.ae777c36fd5b6p-41,
    0x1.612467ccb2260p-33,
    0x1.ae6456792a77fp-26,
    0x1.71de3a556f96cp-19,
    0x1.a01a01a01a001p-13,
    0x1.1111111111111p-7,
    0x1.5555555555555p-3,
};

// pi/2 in three parts, the first two of 31 bits, so that a multiple by up to 22 bits is exact.
inline constexpr double kHalfPi[] = {0x1.921fb54400000p+0, 0x1.0b4611a400000p-34, 0x1.13198a2e03707p-65};
// ln 2 in two parts, the first of 38 bits.
inline constexpr double kLn2[] = {0x1.62e42fefa0000p-1, 0x1.cf79abc9e3b3ap-40};

// 64 zeros, then 2/pi after its binary point.
inline constexpr std::uint64_t kTwoOverPi[] = {
    0x0000000000000000,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
};
// clang-format on

}  // namespace lanewise::scalar
