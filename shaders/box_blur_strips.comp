// box-blur/single/strips: one dispatch. A workgroup makes a strip of columns of a segment of rows, one row after another. With r the radius,
//
//   d(x, y) = texel (x, y + r) - texel (x, y - r - 1)         what enters the window of a column, less what leaves it
//   h(x, y) = d(x - r, y) + .. + d(x + r, y)                  the difference of two prefix sums of a row
//   S(x, y) = S(x, y - 1) + h(x, y)                           the sum of the square window, in registers
//
// A segment begins with S of the row before its first: the same prefix sums, of the sums of columns over 2r + 1 texels.
//
// A texel is a word of four codes. Two channels share a word of sums, 16 bits each, with a sign. Prefix sums carry from the lower into the
// upper half and wrap, but the difference of two is right modulo 2^32, and h fits: it is at most 255 * 127 for radii up to 63. The sums of
// columns are up to 255 * 127 too, so their two bytes are added up apart.
//
// Each second segment goes upwards. So two neighbours begin at the same rows, or end at the same rows, and most rows come from memory once.
//
// Barriers: prefix sums are stored before others read them. Two rows of them wait in turn, so one barrier a row also orders the readers of a
// row before the writers of the next but one. Invocations are numbered by subgroup and lane, whatever their local index. The workgroup's
// size is a multiple of every subgroup size, so every subgroup is full.
//
// The loop over rows, which has barriers, has no loop inside of it: there lavapipe 22.3.6 loses invocations.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require

#include "edges.glsl"

const int kInvocations = 256;  // two neighbouring columns each: the strip, 2r + 1 columns for its windows, and what is left over
const int kLeastSubgroup = 4;
layout(local_size_x = kInvocations) in;

layout(set = 0, binding = 0) uniform usampler2D source;  // both pictures are viewed as R32_UINT; its edges are clamped
layout(set = 0, binding = 1, r32ui) uniform writeonly restrict uimage2D target;

layout(push_constant) uniform Push {
  ivec2 size;  // of both pictures, in texels
  int radius;
  int segment;  // rows that a workgroup makes
  uint scale;   // a mean is (scale * S + bias) * factor >> 40
  uint bias;
  uint factor;
  int strip;  // columns that a workgroup makes
} push;

// Even columns lie before odd ones, so that neighbouring invocations use different banks, both where they write and where they read.
const int kOdd = kInvocations + 8, kPitch = kInvocations + kOdd;
shared uvec2 prefix[2 * kPitch];  // of the columns of a subgroup
const int kMostSubgroups = kInvocations / kLeastSubgroup;
shared uvec2 totals[2 * kMostSubgroups];  // of all columns of a subgroup

int me;
vec2 texel;   // 1 / size
bool upward;  // y counts rows from the bottom

int rowAt(int y) { return upward ? push.size.y - 1 - y : y; }

uint wordAt(int x, int row) {
  int column = edgeIndex(x, push.size.x), inside = edgeIndex(row, push.size.y);
  if (kEdge == kZero && (column < 0 || inside < 0)) return 0u;
  return texelFetch(source, ivec2(column, inside), 0).x;
}

// 2x2 texels of rows `row` and the next in one read, at the corner that they share, which is far from where another four would be selected:
// (0, 1), (1, 1), (1, 0), (0, 0).
uvec4 gatherAt(ivec2 at) {
  if (kEdge == kClamp || (all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at + 1, push.size))))
    return textureGather(source, vec2(at + 1) * texel);
  return uvec4(wordAt(at.x, at.y + 1), wordAt(at.x + 1, at.y + 1), wordAt(at.x + 1, at.y), wordAt(at.x, at.y));
}

// The same of rows y and y + 1.
uvec4 quadAt(int x, int y) { return upward ? gatherAt(ivec2(x, rowAt(y + 1))).wzyx : gatherAt(ivec2(x, y)); }

uvec2 pairsOf(uint word) { return uvec2(word, word >> 8) & 0x00ff00ffu; }

// Of an invocation's two columns.
struct Two {
  uvec2 left, right;
};

Two first(uvec4 quad) { return Two(pairsOf(quad.w), pairsOf(quad.z)); }
Two second(uvec4 quad) { return Two(pairsOf(quad.x), pairsOf(quad.y)); }
Two plus(Two a, Two b) { return Two(a.left + b.left, a.right + b.right); }
Two minus(Two a, Two b) { return Two(a.left - b.left, a.right - b.right); }
Two bytesOf(Two a, uint shift) { return Two((a.left >> shift) & 0x00ff00ffu, (a.right >> shift) & 0x00ff00ffu); }

// Keeps the prefix sums of a row as row 0 or 1.
void keep(int row, Two d) {
  uvec2 sum = d.left + d.right;
#define SCAN(distance)                                           \
  if (gl_SubgroupSize > distance) {                              \
    uvec2 before = subgroupShuffleUp(sum, distance);             \
    if (gl_SubgroupInvocationID >= distance) sum += before;      \
  }
  SCAN(1u) SCAN(2u) SCAN(4u) SCAN(8u) SCAN(16u) SCAN(32u) SCAN(64u)
  prefix[row * kPitch + me] = sum - d.right;
  prefix[row * kPitch + kOdd + me] = sum;
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u) totals[row * kMostSubgroups + gl_SubgroupID] = sum;
}

uvec2 prefixAt(int row, int column) { return prefix[row * kPitch + (column >> 1) + (column & 1) * kOdd]; }

// h at a column of the strip: four sums, of the channels' order 0, 1, 2, 3.
ivec4 windowAt(int row, int column) {
  int end = column + 2 * push.radius + 1, columns = 2 * int(gl_SubgroupSize);
  uvec2 sum = prefixAt(row, end) - prefixAt(row, column);
  // The subgroups between: at most 16 of 8 columns.
  int subgroup = column / columns, last = end / columns;
#define CROSS(n) \
  if (subgroup + n < last) sum += totals[row * kMostSubgroups + subgroup + n];
  CROSS(0) CROSS(1)
  if (subgroup + 2 < last) {
    CROSS(2) CROSS(3) CROSS(4) CROSS(5) CROSS(6) CROSS(7) CROSS(8) CROSS(9)
    CROSS(10) CROSS(11) CROSS(12) CROSS(13) CROSS(14) CROSS(15)
  }
  ivec2 low = bitfieldExtract(ivec2(sum), 0, 16), high = (ivec2(sum) + 0x8000) >> 16;
  return ivec4(low.x, low.y, high.x, high.y);
}

// The codes of the means whose sums, times scale and with the bias, are `scaled`.
uint meansOf(uvec4 scaled) {
  uvec4 high, low;
  umulExtended(scaled, uvec4(push.factor), high, low);
  return high.x >> 8 | (high.y & 0xff00u) | (high.z & 0xff00u) << 8 | (high.w & 0xff00u) << 16;
}

// Of the window around row y - 1, the sums of this invocation's two columns.
Two columnsBefore(int x, int y) {
  Two sum = Two(uvec2(0u), uvec2(0u));
  int top = y - 1 - push.radius, count = 2 * push.radius + 1;
  for (int i = 0; i < count; i += 8) {
    uvec4 quads[4];
#define TAKE(q) quads[q] = i + 2 * (q) < count ? quadAt(x, top + i + 2 * (q)) : uvec4(0u);
#define ADD(q)                                                                            \
  sum = plus(sum, first(quads[q]));                                                       \
  sum = plus(sum, second(i + 2 * (q) + 1 < count ? quads[q] : uvec4(0u)));
    TAKE(0) TAKE(1) TAKE(2) TAKE(3)
    ADD(0) ADD(1) ADD(2) ADD(3)
  }
  return sum;
}

void main() {
  texel = 1.0 / vec2(push.size);
  me = int(gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID);
  upward = (gl_WorkGroupID.y & 1u) != 0u;
  int y = int(gl_WorkGroupID.y) * push.segment, end = min(y + push.segment, push.size.y);
  if (upward) {
    int top = y;
    y = push.size.y - end;
    end = push.size.y - top;
  }
  // An invocation reads the columns x and x + 1, and makes columns `me` and me + kInvocations of the strip.
  int start = int(gl_WorkGroupID.x) * push.strip, width = min(push.strip, push.size.x - start), x = start - push.radius - 1 + 2 * me;
  uvec4 scaled[2];
#define EACH_COLUMN(S) S(0) S(1)
#define COLUMN(j) (me + (j) * kInvocations)

  Two columns = columnsBefore(x, y);
  keep(0, bytesOf(columns, 0u));
  keep(1, bytesOf(columns, 8u));
  barrier();
#define BEGIN(j) \
  scaled[j] = uvec4(push.bias); \
  if (COLUMN(j) < width) scaled[j] += push.scale * uvec4(windowAt(0, COLUMN(j)) + 256 * windowAt(1, COLUMN(j)));
  EACH_COLUMN(BEGIN)
  barrier();

  // The reads of the next two rows come before these are made.
  uvec4 entering = quadAt(x, y + push.radius), leaving = quadAt(x, y - push.radius - 1);
  for (; y < end; y += 2) {
    Two d = minus(first(entering), first(leaving)), next = minus(second(entering), second(leaving));
    entering = quadAt(x, y + 2 + push.radius);
    leaving = quadAt(x, y + 2 - push.radius - 1);
#define MAKE(j, row)                                                                                \
  if (COLUMN(j) < width) {                                                                          \
    scaled[j] += push.scale * uvec4(windowAt(row, COLUMN(j)));                                      \
    imageStore(target, ivec2(start + COLUMN(j), rowAt(y + row)), uvec4(meansOf(scaled[j])));        \
  }
    keep(0, d);
    barrier();
#define MAKE_FIRST(j) MAKE(j, 0)
    EACH_COLUMN(MAKE_FIRST)
    keep(1, next);
    barrier();
#define MAKE_SECOND(j) MAKE(j, 1)
    if (y + 1 < end) {
      EACH_COLUMN(MAKE_SECOND)
    }
  }
}
