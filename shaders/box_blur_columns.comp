// The vertical pass of box-blur/double/scan-slide. An invocation slides down a segment of a column, sixteen texels per iteration. All reads
// of an iteration come before its stores. Every read handles the edges, so all segments take equally long.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 64) in;
layout(local_size_x_id = 2) in;

#define UNROLL 16
#include "box_blur_words.glsl"
#include "repeat.glsl"

uvec2 windowAt(int x, int y) {
  uvec2 sum = uvec2(0u);
  uint taken[UNROLL];
#define TAKE(t) taken[t] = i + t <= push.radius ? readColumn(x, y + i + t) : 0u;
#define ADD(t) sum += pairsOf(taken[t]);
  for (int i = -push.radius; i <= push.radius; i += UNROLL) {
    EACH(TAKE)
    EACH(ADD)
  }
  return sum;
}

void main() {
  int x = int(gl_GlobalInvocationID.x), y = int(gl_WorkGroupID.y) * push.segment, end = min(y + push.segment, push.size.y);
  if (x >= push.size.x) return;
  uvec2 sum = windowAt(x, y);
  uint leaving[UNROLL], entering[UNROLL];
#define LEAVE(t) leaving[t] = readColumn(x, y + t - push.radius);
#define ENTER(t) entering[t] = readColumn(x, y + t + push.radius + 1);
#define MOVE(t)                                                               \
  if (y + t < end) imageStore(target, ivec2(x, y + t), uvec4(meansOf(sum))); \
  sum += pairsOf(entering[t]) - pairsOf(leaving[t]);
  for (; y < end; y += UNROLL) {
    EACH(LEAVE)
    EACH(ENTER)
    EACH(MOVE)
  }
}
