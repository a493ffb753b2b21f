// A texel of the next level, from a level of any size. Along an axis it is made of one texel, two of equal weight, or three whose weights
// let every texel below count equally in the whole. Include this after pyramid_exact.glsl or (with FLOATS) pyramid_float.glsl, and define
// waitingAt(). Only taps with weight count. Sizes are uniform, so the conditions on the number of taps are too.

#include "pyramid_taps.glsl"

uvec2 nextSize(uvec2 size) { return max(size >> 1, uvec2(1u)); }

// A texel of the level below, which is in workgroup memory. `at` counts from the first texel there.
VALUE waitingAt(uvec2 at);

#ifdef FLOATS
#define SUM VALUE
#define WEIGHTS vec3
#else
#define SUM uvec4
#define WEIGHTS uvec3
#endif

// One axis, with weights of the type that they are multiplied in.
struct Axis {
  uint first, count;
  WEIGHTS weight;
  uint sum;
};

#ifdef FLOATS

// `unit`: a factor of all weights.
Axis axisAt(uint j, uint size, float unit) {
  Taps t = tapsAt(j, size);
  return Axis(t.first, t.count, vec3(t.weight) * (unit / float(t.sum)), t.sum);
}

SUM tapSum(TAP tap) { return tapOf(tap); }
SUM valueSum(VALUE value) { return value; }
VALUE meanOfSum(SUM sum, uint divisor) { return sum; }
const bool kMeans = true;

#else

Axis axisAt(uint j, uint size, float unit) {
  Taps t = tapsAt(j, size);
  return Axis(t.first, t.count, t.weight, t.sum);
}

const float kTapUnit = 1.0;
SUM tapSum(TAP tap) { return lightOf(tap); }
SUM valueSum(VALUE value) { return lightOf(value); }

// floor(sum / divisor + 1/2), for quotients up to 255. The estimate is at most one off, however the device rounds floats.
uint roundedCode(uint sum, uint divisor, float reciprocal) {
  uint code = uint(float(sum) * reciprocal + 0.5);
  int twiceLeft = 2 * int(sum - code * divisor);
  return code + uint(twiceLeft >= int(divisor)) - uint(twiceLeft < -int(divisor));
}

VALUE meanOfSum(SUM sum, uint divisor) {
  float reciprocal = 1.0 / float(divisor);
  uvec4 codes;
  for (int c = 0; c < 4; ++c) codes[c] = kSrgb && c < 3 ? narrowSrgbCode(sum[c], divisor) : roundedCode(sum[c], divisor, reciprocal);
  return packed(codes);
}

const bool kMeans = kReduction == kMean;

// Nine texels one by one: for minima and maxima, and for means whose sums need 64 bits.
struct Nine {
  uint texel[9];  // row after row
};

VALUE ofNine(Nine n, Axis x, Axis y) {
  uvec4 low = uvec4(0u), high = uvec4(0u), lowPart, highPart, carry;
  uint best = n.texel[0], divisor = x.sum * y.sum;
  for (uint k = 0u; k < y.count; ++k)
    for (uint i = 0u; i < x.count; ++i) {
      uint texel = n.texel[3u * k + i];
      if (!kMeans) {
        best = extremeOf(best, texel);
        continue;
      }
      umulExtended(lightOf(texel), uvec4(y.weight[k] * x.weight[i]), highPart, lowPart);
      low = uaddCarry(low, lowPart, carry);
      high += highPart + carry;
    }
  if (!kMeans) return best;
  uvec4 codes;
  for (int c = 0; c < 4; ++c)
    codes[c] = kSrgb && c < 3 ? srgbCode(uvec2(low[c], high[c]), divisor) : wideRoundedCode(uvec2(low[c], high[c]), uvec2(divisor, 0u));
  return packed(codes);
}

#endif

// Whether the mean is made from sums of 32 bits: floats always, integers if they fit, for codes up to 255 or light up to 2^24.
bool bySums(Axis x, Axis y) {
#ifdef FLOATS
  return true;
#else
  return kMeans && x.sum * y.sum <= (kSrgb ? 255u : 0xffffffffu / 255u);
#endif
}

VALUE meanOfRows(SUM first, SUM second, SUM third, Axis x, Axis y) {
  SUM sum = y.weight.x * first;
  if (y.count > 1u) sum += y.weight.y * second;
  if (y.count > 2u) sum += y.weight.z * third;
  return meanOfSum(sum, x.sum * y.sum);
}

// 2x2 texels at a time from the picture: those at a position and, where the window has three columns, those to the right.
struct Pair {
  Quad left, right;
};

Pair pairAt(uvec2 at, Axis x) {
  Pair p;
  p.left = p.right = readQuad(at);
  if (x.count > 2u) p.right = readQuad(at + uvec2(1u, 0u));
  return p;
}

// Their two rows, weighted along x.
struct Rows {
  SUM upper, lower;
};

Rows rowsOf(Pair p, Axis x) {
  Rows rows = Rows(x.weight.x * tapSum(p.left.d), x.weight.x * tapSum(p.left.a));
  if (x.count > 1u) {
    rows.upper += x.weight.y * tapSum(p.left.c);
    rows.lower += x.weight.y * tapSum(p.left.b);
  }
  if (x.count > 2u) {
    rows.upper += x.weight.z * tapSum(p.right.d);
    rows.lower += x.weight.z * tapSum(p.right.a);
  }
  return rows;
}

#ifndef FLOATS
Nine nineOf(Pair p, Pair q) {
  return Nine(uint[9](p.left.d, p.left.c, p.right.d, p.left.a, p.left.b, p.right.a, q.left.d, q.left.c, q.right.d));
}
#endif

// Texel j of the level above the one that is read.
VALUE texelAbove(uvec2 j) {
  Axis x = axisAt(j.x, push.size.x, kTapUnit), y = axisAt(j.y, push.size.y, 1.0);
  Pair p = pairAt(j, x), q = p;
  if (y.count > 2u) q = pairAt(j + uvec2(0u, 1u), x);
#ifndef FLOATS
  if (!bySums(x, y)) return ofNine(nineOf(p, q), x, y);
#endif
  Rows rows = rowsOf(p, x);
  return meanOfRows(rows.upper, rows.lower, rowsOf(q, x).upper, x, y);
}

// Texel j and the two below it, whose windows share rows. Those outside of the level have no defined value.
VALUE[3] threeAbove(uvec2 j) {
  Axis x = axisAt(j.x, push.size.x, kTapUnit), y = axisAt(j.y, push.size.y, 1.0);
  VALUE texels[3];
  Pair pairs[4];
  for (uint i = 0u; i < 3u; ++i) pairs[i] = pairAt(j + uvec2(0u, i), x);
  pairs[3] = pairs[2];
  if (y.count > 2u) pairs[3] = pairAt(j + uvec2(0u, 3u), x);
#ifndef FLOATS
  if (!bySums(x, y)) {
    uint count = min(3u, nextSize(push.size).y - j.y);
    for (uint i = 0u; i < count; ++i) texels[i] = ofNine(nineOf(pairs[i], pairs[i + 1u]), x, axisAt(j.y + i, push.size.y, 1.0));
    return texels;
  }
#endif
  Rows rows[4];
  for (uint i = 0u; i < 4u; ++i) rows[i] = rowsOf(pairs[i], x);
  for (uint i = 0u; i < 3u; ++i)
    texels[i] = meanOfRows(rows[i].upper, rows[i].lower, rows[i + 1u].upper, x, axisAt(j.y + i, push.size.y, 1.0));
  return texels;
}

// A row of a window in workgroup memory, weighted along x.
SUM rowOf(uvec2 at, Axis x) {
  SUM sum = x.weight.x * valueSum(waitingAt(at));
  if (x.count > 1u) sum += x.weight.y * valueSum(waitingAt(at + uvec2(1u, 0u)));
  if (x.count > 2u) sum += x.weight.z * valueSum(waitingAt(at + uvec2(2u, 0u)));
  return sum;
}

// Texel j of the level above one of `size` texels. Workgroup memory holds that level from its texel `origin` on.
VALUE reduceWindow(uvec2 j, uvec2 size, uvec2 origin) {
  Axis x = axisAt(j.x, size.x, 1.0), y = axisAt(j.y, size.y, 1.0);
  uvec2 at = uvec2(x.first, y.first) - origin;
#ifndef FLOATS
  if (!bySums(x, y)) {
    Nine n;
    for (uint i = 0u; i < 9u; ++i) n.texel[i] = waitingAt(at + min(uvec2(i % 3u, i / 3u), uvec2(x.count, y.count) - 1u));
    return ofNine(n, x, y);
  }
#endif
  SUM first = rowOf(at, x), second = first, third = first;
  if (y.count > 1u) second = rowOf(at + uvec2(0u, 1u), x);
  if (y.count > 2u) third = rowOf(at + uvec2(0u, 2u), x);
  return meanOfRows(first, second, third, x, y);
}
