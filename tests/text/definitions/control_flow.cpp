// Loops, calls, arrays and barriers: each invocation is one run of a C++ function; between two barriers lies one loop over all of them.
#include "tests/text/definitions/definitions.h"

namespace lanewise::text::definitions {
namespace {

template <class Invocation>
Bytes each(u32 count, Invocation invocation) {
  std::vector<u32> out;
  for (u32 i = 0; i < count; ++i)
    for (const u32 word : invocation(i)) out.push_back(word);
  return bytesOf(out);
}

struct Shared {
  std::array<u32, 3> a;
  u32 y;
  u32 odd;
};

Bytes barrierLoop(const Inputs&) {
  std::vector<u32> out;
  for (u32 group = 0; group < 2; ++group) {
    std::array<u32, 64> s{}, read{};
    std::array<Shared, 4> t{};
    for (u32 l = 0; l < 64; ++l) s[l] = l * l + group;
    for (u32 l = 0; l < 4; ++l) {
      t[l].a[l % 3] = l;
      t[l].a[(l + 1) % 3] = 2 * l;
      t[l].a[(l + 2) % 3] = 3;
      t[l].y = l + 1;
      t[l].odd = l % 2;
    }
    for (const u32 step : {1u, 2u, 4u, 8u, 16u, 32u}) {
      for (u32 l = 0; l < 64; ++l) read[l] = s[(l + step) % 64] + (l / step % 2 == 1 ? 3 : 0);
      for (u32 l = 0; l < 64; ++l) s[l] = s[l] * 2 + read[l];
    }
    for (u32 l = 0; l < 64; ++l) out.push_back(s[l] + t[l % 4].a[l % 3] * 5 + t[l / 4 % 4].y + t[l / 16 % 4].odd);
  }
  return bytesOf(out);
}

u32 inner(u32 a, u32& log) {
  for (;;) {
    a = a * 5 + 3;
    log += a;
    if (a % 8 == 2) return a;
    if (a / 4 % 4 == 2) return a * 2;
    if (a > 100000) return 1;
    if (a % 4 == 1) log ^= 3;
  }
}

u32 outer(u32 a) {
  if (a % 3 == 0) return 7;
  u32 log = 0;
  for (u32 i = 0; i < 6; ++i) {
    const u32 r = inner(a + i, log);
    if (r % 5 == 1) return r + log;
    if (r % 7 == 3) break;
  }
  return log;
}

Bytes callEarlyReturn(const Inputs&) {
  std::array<u32, 64> a{}, b{};
  for (u32 l = 0; l < 64; ++l) a[l] = outer(l);
  for (u32 l = 0; l < 40; ++l) b[l] = outer(l + 17) + a[63 - l];
  std::vector<u32> out(a.begin(), a.end());
  for (u32 l = 0; l < 64; ++l) out.push_back(b[l] + b[(l + 1) % 64]);
  return bytesOf(out);
}

std::array<u32, 1> localArray(u32 l) {
  std::array<u32, 8> a{};
  std::array<std::array<u32, 3>, 4> v{};
  std::array<double, 3> d = {1, 2, 4};
  std::array<bool, 5> f{};
  for (u32 i = 0; i < 8; ++i) a[i] = i * i + l;
  for (u32 i = 0; i < 4; ++i) v[i] = {i, l, i * l};
  for (u32 i = 0; i < 5; ++i) f[i] = (i + l) % 3 == 0;
  for (u32 i = 0; i < l % 6; ++i) {
    a[(i + l) % 8] += a[l * i % 8];
    v[i % 4][(l + i) % 3] += 5;
    d[(l + i) % 3] *= 1.5;
    f[(l + i) % 5] = !f[i % 5];
  }
  u32 sum = 0;
  for (const u32 x : a) sum = sum * 3 + x;
  for (const auto& x : v) sum += x[0] + x[1] * 3 + x[2] * 7;
  for (const bool x : f) sum = sum * 2 + (x ? 1 : 0);
  return {sum + static_cast<u32>(d[0] * 8 + d[1] * 64 + d[2] * 512)};
}

std::array<u32, 1> nestedDivergent(u32 l) {
  u32 acc = 0, last = 99;
  for (u32 i = 0; i < 10; ++i) {
    if ((l + i) % 5 == 3) continue;
    const u32 end = l % 2 == 1 && l % 7 + 1 > 4 ? 4 : l % 7 + 1;
    for (u32 j = 0; j < end; ++j) {
      if ((j + i) % 3 == 1) continue;
      acc = acc * 3 + i * 7 + j;
      last = j;
    }
    if (i > l % 11) break;
    acc ^= i * 16;
  }
  return {acc * 101 + last};
}

std::array<u32, 2> swapped(u32 l) {
  u32 a = l, b = l * 3 + 1, c = 7;
  const u32 times = 5 + l % 4;
  for (u32 i = 0; i < times; ++i) {
    const u32 first = a;
    a = b;
    b = c;
    c = first + i;
    if (c % 2 == 1) std::swap(a, b);
  }
  // The doubles change places once a turn; seven turns change 1 and 2.
  const u32 twiceOfNumber = 2 * l, twiceOfHalf = 1;
  const bool changed = times % 2 == 1;
  const u32 d = changed ? twiceOfHalf : twiceOfNumber, e = changed ? twiceOfNumber : twiceOfHalf;
  return {a * 65537 + b * 257 + c + 2 * 11, d + e * 1000 + 1};
}

// The first loop shifts a one in, once more than it counts.
std::array<u32, 4> liveOut(u32 l) {
  const u32 i = l % 9, ones = (4u << i) - 1, half = i == 0 ? 0 : ((2u << i) - 1) / 2;
  u32 k = 0, t = ones;
  do {
    t = t * 5 + k;
    ++k;
  } while (t % 8 != 1 && k < 6 + l % 4);
  return {i, ones, i * 1000 + half, t ^ k};
}

struct Four {
  u32 a = 0, b = 1, c = 2, d = 3;
  bool stop = false;
};

// One turn of phi_heavy: seven kinds.
void turn(Four& v, u32 s, u32 i) {
  auto& [a, b, c, d, stop] = v;
  switch (s % 7) {
    case 0:  // a is b + c, and b the old a
      std::swap(a, b);
      a += c;
      break;
    case 1:
      for (u32 j = 0; j < (s >> 4) % 5; ++j) {
        if ((s >> j) % 2 == 0) {
          c += j;
        } else {
          d = c ^ (a + j);
          if (d % 11 == 5) break;
          a += d;
        }
      }
      break;
    case 2:
      do {
        b += 3;
        c ^= b;
      } while (b / 4 % 2 == 0 && c % 3 != 1);
      break;
    case 3: {
      const u32 which = (s >> 8) % 4;
      if (which == 0) a ^= d;
      if (which <= 1) b += a;
      if (which == 2 && b % 2 == 1) {
        c = a;
      } else if (which >= 2) {
        if (which == 2) d = b;
        c -= 7;
      }
      break;
    }
    case 4:
      stop = (s >> 9) % 5 == 0;
      d += stop ? a : b;
      break;
    case 5: {
      if (a % 4 == 2) return;
      a = a * 3 + 1;
      u32 n = 0;
      for (; a > 50 && n < 20; ++n) {
        a = a % 2 == 1 ? a * 3 + 1 : a / 2;
        if (a % 13 == 0) break;
      }
      b ^= n;
      break;
    }
    default:
      d = d * 5 + c;
  }
  c += i;
}

std::array<u32, 1> phiHeavy(u32 g) {
  u32 s = g * 747796405u + 1;
  Four v;
  for (u32 i = 0; i < 30 && !v.stop; ++i) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    turn(v, s, i);
  }
  return {v.a * 31 + v.b * 17 + v.c * 13 + v.d * 7 + (v.stop ? 1 : 0)};
}

// Parameters are copied in and out: two values change places, also where one is a component.
std::array<u32, 4> functionPointers(u32 l) {
  const i32 k = static_cast<i32>(l) + 1;
  i32 v[2][3] = {{k, k + 1, k + 2}, {-(k + 2), -k, -(k + 1)}}, m[2][2] = {{k, 2}, {3, 2 * k}}, digits[5] = {1, 2, 3, 4, 5};
  v[l % 2][l % 3] += 100;
  m[l % 2][1] += 1;
  const i32 r = v[1 - l % 2][1] + v[1][1] * 3 + v[0][0] * 5;
  std::swap(v[0][2], v[1][l % 3]);
  std::swap(digits[l % 5], digits[l * 3 % 5]);
  i32 number = 0;
  for (u32 i = 5; i-- > 0;) number = number * 10 + digits[i];
  return {static_cast<u32>(r), static_cast<u32>(v[0][2] + v[1][0] * 7), static_cast<u32>(m[0][1] + m[1][1] * 10 + m[1][0]),
          static_cast<u32>(number)};
}

// Case -1 runs on into case 3, the default into case 5. `continue` leaves out the last addition.
std::array<u32, 1> switchFallthrough(u32 l) {
  const u32 kind = l % 8;
  u32 x = 1;
  for (u32 i = 0; i < 4; ++i) {
    if (kind == 1 && l <= 30) x += 1000;
    if (kind == 2) x += 10;
    if (kind == 2 || kind == 3) x *= 3;
    if (kind >= 2 && kind <= 4) x ^= 0x55;
    if (kind == 0 || kind == 6) x += 2;
    if (kind == 0 || kind >= 6) x -= i;
    if ((kind == 1 && l <= 30) || kind == 5) {
      x = x * 7 + 1;
      if (x % 2 == 0) continue;
      x += 5;
    }
    x += 8 * i;
  }
  return {x + l % 2};
}

constexpr Definition kControlFlow[] = {
    {"barrier_loop.comp", "0 u32", barrierLoop},
    {"call_early_return.comp", "0 u32", callEarlyReturn},
    {"function_pointers.comp", "1 i32", [](const Inputs&) { return each(16, functionPointers); }},
    {"local_arrays.comp", "0 u32", [](const Inputs&) { return each(64, localArray); }},
    {"loop_nested_divergent.comp", "0 u32", [](const Inputs&) { return each(64, nestedDivergent); }},
    {"loop_swap.comp", "0 u32", [](const Inputs&) { return each(64, swapped); }},
    {"loop_values_live_out.comp", "0 u32", [](const Inputs&) { return each(64, liveOut); }},
    {"phi_heavy.comp", "0 u32", [](const Inputs&) { return each(128, phiHeavy); }},
    {"switch_fallthrough.comp", "0 u32", [](const Inputs&) { return each(64, switchFallthrough); }},
};

}  // namespace

std::span<const Definition> controlFlow() {
  return kControlFlow;
}

}  // namespace lanewise::text::definitions
