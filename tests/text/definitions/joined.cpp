// Operations of words that come together: shifts as products and quotients by 2, rotations as the sum of two shifts, functions by bits one
// bit after the other.
#include <algorithm>
#include <iterator>

#include "tests/text/definitions/definitions.h"

namespace lanewise::text::definitions {
namespace {

template <class T>
constexpr u32 kWidth = 8 * sizeof(T);

template <class T>
T up(T x, u32 places) {
  for (u32 i = 0; i < places; ++i) x = x * 2;
  return x;
}
template <class T>
T down(T x, u32 places) {
  for (u32 i = 0; i < places; ++i) x = x / 2;
  return x;
}
// To the left.
template <class T>
T turned(T x, u32 places) {
  return up(x, places) + down(x, kWidth<T> - places);
}

template <class T, class Function>
T byBits(T a, T b, T c, const Function& function) {
  T out = 0;
  for (u32 i = 0; i < kWidth<T>; ++i) out = out + up(T{function(down(a, i) % 2 == 1, down(b, i) % 2 == 1, down(c, i) % 2 == 1)}, i);
  return out;
}
template <class T>
T either(T a, T b) {
  return byBits(a, b, T{0}, [](bool x, bool y, bool) { return x || y; });
}
template <class T>
T both(T a, T b) {
  return byBits(a, b, T{0}, [](bool x, bool y, bool) { return x && y; });
}
template <class T>
T majority(T a, T b, T c) {
  return byBits(a, b, c, [](bool x, bool y, bool z) { return x + y + z >= 2; });
}

// Every second byte, up to five.
template <class T>
T bytesApart(T x) {
  T out = 0;
  for (u32 at = 0; at < kWidth<T> && at <= 32; at += 16) out = out + up(down(x, at) % 256, at);
  return out;
}

u64 pair(u32 low, u32 high) {
  return low + up(u64{high}, 32);
}

Bytes joinedWords(const Inputs& in) {
  const auto xs = in.of<u32>("0"), ys = in.of<u32>("1"), zs = in.of<u32>("2");
  std::vector<u32> out;
  for (u32 i = 0; i < 4; ++i) {
    const u32 x = xs[i], y = ys[i], z = zs[i];
    for (const u32 word : {8 * x + y,
                           y + down(x, 5),
                           x * y + z,
                           bytesApart(x) + z,
                           x + y + z,
                           either(y, up(x, 8)),
                           both(down(x, 4), y),
                           up(x, 13) ^ y,
                           down(x, 17) ^ y,
                           turned(x, 7) ^ y,
                           turned(x ^ 0x9e3779b9u, 9),
                           x == y ? z : x,
                           x < y ? z : x,
                           x < y ? y : z,
                           static_cast<i32>(x) > static_cast<i32>(y) ? z : x,
                           byBits(x, y, z, [](bool a, bool b, bool c) { return a ? b : c; }),
                           majority(x, y, z),
                           byBits(x, y, z, [](bool a, bool b, bool c) { return (a + b + c) % 2 == 1; }),
                           byBits(x, y, z, [](bool a, bool b, bool c) { return !a && (!b || c); }),
                           16 * x - y,
                           4 * x * (4 * x + y)})
      out.push_back(word);
  }
  return bytesOf(out);
}

Bytes joinedPairs(const Inputs& in) {
  const auto xs = in.of<u32>("0"), ys = in.of<u32>("1"), zs = in.of<u32>("2");
  std::vector<u64> out;
  for (u32 i = 0; i < 4; ++i) {
    const u64 p = pair(xs[i], ys[i]), q = pair(ys[i], zs[i]), r = pair(zs[i], xs[i]);
    for (const u64 word : {up(p, 33) + q, q + down(p, 20), p * q + r, bytesApart(p) + r, p + q + r, either(up(p, 40), q),
                           both(down(p, 9), q), 2 * p ^ q, down(p, 50) ^ q, p == q ? r : p, p < q ? r : p,
                           static_cast<i64>(p) > static_cast<i64>(q) ? q : r, majority(p, q, r), u64{xs[i]} * zs[i]})
      out.push_back(word);
  }
  return bytesOf(out);
}

Bytes rotations(const Inputs& in) {
  const auto xs = in.of<u32>("0"), ys = in.of<u32>("1");
  std::vector<u32> out;
  for (u32 i = 0; i < 4; ++i) {
    const u32 x = xs[i], y = ys[i], top = down(x, 25);
    const u64 wide = pair(x, y);
    const u32 words[] = {turned(x, 7),
                         turned(x, 25),
                         turned(x, 31),
                         turned(x, 16),
                         turned(x, 5) + up(x, 5),
                         either(up(x, 7), down(x, 24)),
                         up(x, 7) + down(y, 25),
                         up(x, 9) - down(x, 23),
                         either(up(x, 7), top >= 64 ? top - 128 : top),  // a number of 7 bits with its sign
                         y,
                         static_cast<u32>(down(either(up(wide, 20), down(wide, 12)), 32))};
    std::copy(std::begin(words), std::end(words), std::back_inserter(out));
  }
  return bytesOf(out);
}

Bytes turns(const Inputs& in) {
  const auto xs = in.of<u32>("0"), ys = in.of<u32>("1");
  std::vector<u32> out;
  for (u32 i = 0; i < 4; ++i) {
    const u32 x = xs[i], y = ys[i], two = turned(x, 30) ^ turned(x, 19);
    const u32 words[] = {turned(x, 26) ^ turned(x, 21) ^ turned(x, 7),
                         turned(x, 25) ^ turned(x, 14) ^ down(x, 3),
                         up(x, 9) ^ turned(x, 4) ^ turned(x, 31),
                         x ^ turned(x, 9) ^ turned(x, 17),
                         turned(x, 5) ^ turned(x, 23),
                         turned(x, 3) ^ down(x, 30),
                         turned(x, 8) ^ x,
                         turned(x ^ y, 6) ^ turned(x, 12),
                         turned(x, 1) ^ turned(x, 2) ^ y,
                         two * (two ^ turned(x, 10))};
    std::copy(std::begin(words), std::end(words), std::back_inserter(out));
  }
  return bytesOf(out);
}

constexpr Definition kJoined[] = {
    {"joined.comp", "3 u32", joinedWords},
    {"joined.comp", "4 u64", joinedPairs},
    {"rotations.comp", "2 u32", rotations},
    {"turns.comp", "2 u32", turns},
};

}  // namespace

std::span<const Definition> joined() {
  return kJoined;
}

}  // namespace lanewise::text::definitions
