// How a blur reads outside of its picture (docs/contracts.md, 1). The edge mode is a specialization constant, so a pipeline has only one.
// Source: the definitions clamp(i); mirror with period 2n (-1 reads 0); mirror that does not repeat the edge texel, with period 2n - 2 (-1
// reads 1); zero outside. Right for every i of 31 bits and every n >= 1: a mirror repeats as often as it must. GLSL does not define % for
// negative integers, so every remainder here is of unsigned numbers.

const uint kClamp = 0u;
const uint kMirror = 1u;
const uint kMirror101 = 2u;
const uint kZero = 3u;

layout(constant_id = 0) const uint kEdge = kClamp;

// The index in 0..n-1 that is read for i, or -1 where the texel is zero.
int edgeIndex(int i, int n) {
  if (kEdge == kMirror) {
    uint period = 2u * uint(n);
    uint m = uint(i < 0 ? -1 - i : i) % period;
    return int(min(m, period - 1u - m));
  }
  if (kEdge == kMirror101) {
    if (n == 1) return 0;
    uint period = 2u * uint(n) - 2u;
    uint m = uint(abs(i)) % period;
    return int(min(m, period - m));
  }
  if (kEdge == kZero) return i >= 0 && i < n ? i : -1;
  return clamp(i, 0, n - 1);
}
