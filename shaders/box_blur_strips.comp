// box-blur/single/strips: one dispatch. A workgroup makes a strip of columns of a segment of rows, two rows at a time. With r the radius,
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
// To the lower channel of each d kLift is added. So the lower half of h is too great by kLift * (2r + 1), but never negative, and the upper half
// has a sign of its own. S takes a word a channel. Kept are, of each two channels, the sum of the pairs modulo 2^32, and that of the upper
// channel alone.
//
// An invocation reads and makes four neighbouring columns: it adds up their prefix sums alone, and only their total goes through its
// subgroup. It keeps the sums at the beginning of its windows and reads those at the end from workgroup memory. Its means wait there too,
// so that neighbouring invocations store neighbouring texels.
//
// Each second segment goes upwards. So two neighbours begin at the same rows, or end at the same rows, and most rows come from memory once.
//
// Barriers: totals, prefix sums and means are stored before others read them. Each two stores to one place have another of these barriers
// between them, so that the reads come before the second. Invocations are numbered by subgroup and lane, whatever their local index.
// The workgroup's size is a multiple of every subgroup size, and devices are asked for full subgroups.
//
// The loop over rows, which has barriers, has no loop inside of it: there lavapipe 22.3.6 loses invocations.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require

#include "edges.glsl"

const int kInvocations = 128, kColumns = 4;  // the strip, 2r + 1 columns for its windows, and what is left over
const int kLeastSubgroup = 4;
const uint kLift = 255u;
const float kWhole = 8388608.0;  // 2^23: floats from here on are whole numbers
layout(local_size_x = kInvocations) in;

layout(set = 0, binding = 0) uniform usampler2D source;  // both pictures are viewed as R32_UINT; its edges are clamped
layout(set = 0, binding = 1, r32ui) uniform writeonly restrict uimage2D target;

layout(push_constant) uniform Push {
  ivec2 size;  // of both pictures, in texels
  int radius;
  int segment;   // rows that a workgroup makes
  uint whole;    // the bits of kWhole, where the sums begin
  float less;    // kWhole less half of a window's texels
  float weight;  // of a texel of a window
  int strip;     // columns that a workgroup makes
} push;

// Of two rows, the upper and the lower one: x and y, z and w. The columns that are first of four, then the second ones, and so on.
shared uvec4 prefix[kColumns * kInvocations];
shared uvec4 totals[kInvocations / kLeastSubgroup];  // of the columns of a subgroup
shared uvec4 means[2][kInvocations];                 // of the rows y and y + 1

#define PAIRS(S) S(0) S(1)
#define EACH(S) S(0) S(1) S(2) S(3)

int me;
vec2 texel;           // 1 / size
float before;         // kWhole, or push.less
uvec4 own[kColumns];  // of this invocation's columns

// `upward`: y counts rows from the bottom.
int rowAt(int y, bool upward) { return upward ? push.size.y - 1 - y : y; }

uint wordAt(int x, int row) {
  int column = edgeIndex(x, push.size.x), inside = edgeIndex(row, push.size.y);
  if (kEdge == kZero && (column < 0 || inside < 0)) return 0u;
  return texelFetch(source, ivec2(column, inside), 0).x;
}

uvec4 wordsAt(ivec2 at) {
  return uvec4(wordAt(at.x, at.y + 1), wordAt(at.x + 1, at.y + 1), wordAt(at.x + 1, at.y), wordAt(at.x, at.y));
}

// Of rows y and y + 1, 2x2 texels from column x on and from x + 2 on. Each four are one read, at the corner that they share, which is far from
// where another four would be selected. The lower row comes first: (0, 1), (1, 1), (1, 0), (0, 0).
void quadsAt(int x, int y, bool upward, out uvec4 left, out uvec4 right) {
  ivec2 at = ivec2(x, upward ? rowAt(y + 1, true) : y);
  if (kEdge == kClamp || (all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at + ivec2(3, 1), push.size)))) {
    vec2 corner = vec2(at + 1) * texel;
    left = textureGather(source, corner);
    right = textureGatherOffset(source, corner, ivec2(2, 0));
  } else {
    left = wordsAt(at);
    right = wordsAt(at + ivec2(2, 0));
  }
}

uvec2 pairsOf(uint word) { return uvec2(word, word >> 8) & 0x00ff00ffu; }
// Of the two columns, both rows.
uvec4 leftOf(uvec4 quad) { return uvec4(pairsOf(quad.w), pairsOf(quad.x)); }
uvec4 rightOf(uvec4 quad) { return uvec4(pairsOf(quad.z), pairsOf(quad.y)); }

// The sum of the lanes up to this one.
uvec4 scanOf(uvec4 sum) {
#define SCAN(distance)                                      \
  if (gl_SubgroupSize > distance) {                         \
    uvec4 before = subgroupShuffleUp(sum, distance);        \
    if (gl_SubgroupInvocationID >= distance) sum += before; \
  }
  SCAN(1u) SCAN(2u) SCAN(4u) SCAN(8u) SCAN(16u) SCAN(32u) SCAN(64u)
  return sum;
}

// Makes prefix sums of `own`, which others can read when it returns.
void addUp() {
#define ADD(c) own[c + 1] += own[c];
  ADD(0) ADD(1) ADD(2)
  uvec4 all = own[kColumns - 1], sum = scanOf(all), before = sum - all;
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u) totals[gl_SubgroupID] = sum;
  barrier();
#define BEFORE(n) \
  if (gl_SubgroupID > n) before += totals[n];
  BEFORE(0u) BEFORE(1u) BEFORE(2u)
  if (gl_NumSubgroups > 4u) {
    BEFORE(3u) BEFORE(4u) BEFORE(5u) BEFORE(6u) BEFORE(7u) BEFORE(8u) BEFORE(9u) BEFORE(10u) BEFORE(11u) BEFORE(12u)
    BEFORE(13u) BEFORE(14u) BEFORE(15u) BEFORE(16u) BEFORE(17u) BEFORE(18u) BEFORE(19u) BEFORE(20u) BEFORE(21u) BEFORE(22u)
    BEFORE(23u) BEFORE(24u) BEFORE(25u) BEFORE(26u) BEFORE(27u) BEFORE(28u) BEFORE(29u) BEFORE(30u)
  }
#define PUT(c)      \
  own[c] += before; \
  prefix[c * kInvocations + me] = own[c];
  EACH(PUT)
  barrier();
}

// h of both rows at column c of this invocation.
uvec4 windowAfter(int c) {
  int end = c + 2 * push.radius + 1;
  return prefix[end % kColumns * kInvocations + end / kColumns + me] - own[c];
}

// The channels 0, 1, 2 and 3, of which none is negative.
uvec4 channelsOf(uvec2 pairs) { return uvec4(pairs & 0xffffu, pairs >> 16); }

void addRow(inout uvec4 sums, uvec2 h, uint lift) {
  sums.xy += h - lift;
  sums.zw += uvec2(ivec2(h) >> 16);
}

// The codes of the means. Words that begin with the bits of kWhole are floats of kWhole and the sums. A mean is in the last bits of its own
// whole number.
uint meansOf(uvec4 sums) {
  precise vec4 sum = uintBitsToFloat(uvec4(sums.xy - (sums.zw << 16), sums.zw)) - before;
  precise vec4 mean = fma(sum, vec4(push.weight), vec4(kWhole));
  uvec4 codes = floatBitsToUint(mean);
  return (codes.x & 255u) | ((codes.y & 255u) << 8) | ((codes.z & 255u) << 16) | (codes.w << 24);
}

// Of the window around row y - 1, the sums of this invocation's columns, into `own`: their low bytes and their high bytes.
void columnsBefore(int x, int y, bool upward) {
  int top = y - 1 - push.radius;
#define NONE(c) own[c] = uvec4(0u);
  EACH(NONE)
  // Pairs of rows, four a turn, so that eight reads are under way. Of the last pair one row counts: the lower one, if the segment goes upwards.
  for (int pair = 0; pair <= push.radius; pair += 4) {
    uvec4 left[4], right[4];
#define TAKE(p)                   \
  left[p] = right[p] = uvec4(0u); \
  if (pair + p <= push.radius) quadsAt(x, top + 2 * (pair + p), upward, left[p], right[p]);
    EACH(TAKE)
#define ONE_ROW(quad) quad = upward ? uvec4(quad.xy, 0u, 0u) : uvec4(0u, 0u, quad.zw);
#define COUNT(p)                 \
  if (pair + p == push.radius) { \
    ONE_ROW(left[p])             \
    ONE_ROW(right[p])            \
  }                              \
  own[0] += leftOf(left[p]);     \
  own[1] += rightOf(left[p]);    \
  own[2] += leftOf(right[p]);    \
  own[3] += rightOf(right[p]);
    EACH(COUNT)
  }
#define BYTES(c) own[c] = (own[c].xyxy + own[c].zwzw) >> uvec4(0u, 0u, 8u, 8u) & 0x00ff00ffu;
  EACH(BYTES)
}

// Of the columns of a strip from `start` on, the rows from y on up to `end`. An invocation reads the columns from x on. Windows after them are
// those of columns kColumns * me on of the strip.
void makeRows(int start, int y, int end, bool upward) {
  int width = min(push.strip, push.size.x - start), x = start - push.radius - 1 + kColumns * me;
  bool makes = kColumns * me < width;
  uvec4 sums[kColumns];
  uint lift = kLift * uint(2 * push.radius + 1);

  columnsBefore(x, y, upward);
  // The reads of the next two rows come before these are made.
  uvec4 entering[kColumns / 2], leaving[kColumns / 2];
  quadsAt(x, y + push.radius, upward, entering[0], entering[1]);
  quadsAt(x, y - push.radius - 1, upward, leaving[0], leaving[1]);
  addUp();
#define BEGIN(c)                                           \
  sums[c] = uvec4(push.whole);                             \
  if (makes) {                                             \
    uvec4 h = windowAfter(c);                              \
    sums[c] += channelsOf(h.xy) + 256u * channelsOf(h.zw); \
  }                                                        \
  sums[c].xy += sums[c].zw << 16;
  EACH(BEGIN)

  for (; y < end; y += 2) {
#define DIFFER(q)                                                \
  own[2 * q] = leftOf(entering[q]) - leftOf(leaving[q]) + kLift; \
  own[2 * q + 1] = rightOf(entering[q]) - rightOf(leaving[q]) + kLift;
    PAIRS(DIFFER)
    quadsAt(x, y + 2 + push.radius, upward, entering[0], entering[1]);
    quadsAt(x, y + 1 - push.radius, upward, leaving[0], leaving[1]);
    addUp();
    if (makes) {
      uint first[kColumns], second[kColumns];
#define MAKE(c)                                  \
  {                                              \
    uvec4 h = windowAfter(c);                    \
    addRow(sums[c], upward ? h.zw : h.xy, lift); \
    first[c] = meansOf(sums[c]);                 \
    addRow(sums[c], upward ? h.xy : h.zw, lift); \
    second[c] = meansOf(sums[c]);                \
  }
      EACH(MAKE)
      means[0][me] = uvec4(first[0], first[1], first[2], first[3]);
      means[1][me] = uvec4(second[0], second[1], second[2], second[3]);
    }
    barrier();
#define STORE(k)                                                                                                       \
  {                                                                                                                    \
    int column = k * kInvocations + me, from = column / kColumns, part = column % kColumns;                            \
    if (column < width) {                                                                                              \
      imageStore(target, ivec2(start + column, rowAt(y, upward)), uvec4(means[0][from][part]));                        \
      if (y + 1 < end) imageStore(target, ivec2(start + column, rowAt(y + 1, upward)), uvec4(means[1][from][part])); \
    }                                                                                                                  \
  }
    EACH(STORE)
  }
}

void main() {
  texel = 1.0 / vec2(push.size);
  // Where sums are rounded to nearest, that rounds a mean. Where they are cut, half of a window's texels come to it first. The device shows
  // which: the compiler does not know push.whole.
  precise float more = uintBitsToFloat(push.whole) + 0.75;
  before = more > kWhole ? kWhole : push.less;
  me = int(gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID);
  int start = int(gl_WorkGroupID.x) * push.strip, y = int(gl_WorkGroupID.y) * push.segment, end = min(y + push.segment, push.size.y);
  // Code for each direction: less is to be selected in it.
  if ((gl_WorkGroupID.y & 1u) == 0u)
    makeRows(start, y, end, false);
  else
    makeRows(start, push.size.y - end, push.size.y - y, true);
}
