// A texel of the next level from any size: along an axis one texel, two of equal weight, or three weighted so that every texel of the
// level below counts the same in the whole. Include after pyramid_exact.glsl or, with FLOATS, pyramid_float.glsl; who includes it defines
// waitingAt(). Only taps with weight count. Sizes are the same for all invocations, so are the conditions on the number of taps.

// The texels of one axis that make texel j of the next level.
struct Taps {
  uint first, count;
  uvec3 weight;
  uint sum;
};

Taps tapsAt(uint j, uint size) {
  uint n = size >> 1;
  if (size == 1u) return Taps(0u, 1u, uvec3(1u, 0u, 0u), 1u);
  if ((size & 1u) == 0u) return Taps(2u * j, 2u, uvec3(1u, 1u, 0u), 2u);
  return Taps(2u * j, 3u, uvec3(n - j, n, j + 1u), size);
}

uvec2 nextSize(uvec2 size) { return max(size >> 1, uvec2(1u)); }

// Of the level below where that waits in workgroup memory: the texel that lies so far from the first that does.
VALUE waitingAt(uvec2 at);

#ifdef FLOATS
#define SUM VALUE
#define WEIGHTS vec3
#else
#define SUM uvec4
#define WEIGHTS uvec3
#endif

// One axis, with weights as they are multiplied.
struct Axis {
  uint first, count;
  WEIGHTS weight;
  uint sum;
};

#ifdef FLOATS

// `unit`: what a tap counts in.
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

// floor(sum / divisor + 1/2), for quotients up to 255. The estimate is one off at most, whatever a device's floats do in their last bits.
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

// Nine texels one by one: what is least or greatest, and means whose sums need 64 bits.
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

// Whether weighted sums hold the mean: floats always, integers where 32 bits do, for codes up to 255 or light up to 2^24.
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

// From the picture, 2x2 texels at a time: two rows, each weighted along x.
struct Rows {
  SUM upper, lower;
};

Rows rowsAt(uvec2 at, Axis x) {
  Quad q = readQuad(at);
  Rows rows = Rows(x.weight.x * tapSum(q.d), x.weight.x * tapSum(q.a));
  if (x.count > 1u) {
    rows.upper += x.weight.y * tapSum(q.c);
    rows.lower += x.weight.y * tapSum(q.b);
  }
  if (x.count > 2u) {
    Quad next = readQuad(at + uvec2(1u, 0u));
    rows.upper += x.weight.z * tapSum(next.d);
    rows.lower += x.weight.z * tapSum(next.a);
  }
  return rows;
}

#ifndef FLOATS
Nine nineAt(uvec2 at) {
  Quad q = readQuad(at), r = readQuad(at + uvec2(1u, 0u)), s = readQuad(at + uvec2(0u, 1u)), t = readQuad(at + 1u);
  return Nine(uint[9](q.d, q.c, r.d, q.a, q.b, r.a, s.d, s.c, t.d));
}
#endif

// Texel j above the level that is read.
VALUE texelAbove(uvec2 j) {
  Axis x = axisAt(j.x, push.size.x, kTapUnit), y = axisAt(j.y, push.size.y, 1.0);
#ifndef FLOATS
  if (!bySums(x, y)) return ofNine(nineAt(j), x, y);
#endif
  Rows rows = rowsAt(j, x);
  SUM third = rows.upper;
  if (y.count > 2u) third = rowsAt(j + uvec2(0u, 1u), x).upper;
  return meanOfRows(rows.upper, rows.lower, third, x, y);
}

// Texel j and the two below it, whose windows have rows in common. What lies outside may be anything.
VALUE[3] threeAbove(uvec2 j) {
  Axis x = axisAt(j.x, push.size.x, kTapUnit), y = axisAt(j.y, push.size.y, 1.0);
  VALUE texels[3];
#ifndef FLOATS
  if (!bySums(x, y)) {
    for (uint i = 0u; i < 3u; ++i) texels[i] = ofNine(nineAt(j + uvec2(0u, i)), x, axisAt(j.y + i, push.size.y, 1.0));
    return texels;
  }
#endif
  SUM sums[8];
  for (uint i = 0u; i < 4u; ++i) {
    if (i == 3u && y.count < 3u) continue;
    Rows rows = rowsAt(j + uvec2(0u, i), x);
    sums[2u * i] = rows.upper;
    sums[2u * i + 1u] = rows.lower;
  }
  for (uint i = 0u; i < 3u; ++i)
    texels[i] = meanOfRows(sums[2u * i], sums[2u * i + 1u], sums[2u * i + 2u], x, axisAt(j.y + i, push.size.y, 1.0));
  return texels;
}

// From workgroup memory: a row of a window there, weighted along x.
SUM rowOf(uvec2 at, Axis x) {
  SUM sum = x.weight.x * valueSum(waitingAt(at));
  if (x.count > 1u) sum += x.weight.y * valueSum(waitingAt(at + uvec2(1u, 0u)));
  if (x.count > 2u) sum += x.weight.z * valueSum(waitingAt(at + uvec2(2u, 0u)));
  return sum;
}

// Texel j above a level of `size` texels that waits in workgroup memory from its texel `origin` on.
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
