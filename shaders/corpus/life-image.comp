// A cellular automaton (life with ages) on an image, through a tile with a border in shared memory.
// small: --groups 2,2 --image now=u32:noise:320:r32ui:20x16 --image next=zeros:r32ui:20x16
// large: --groups 64,64 --image now=u32:noise:1048576:r32ui:1024x1024 --image next=zeros:r32ui:1024x1024
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0, r32ui) uniform restrict readonly uimage2D now;
layout(binding = 1, r32ui) uniform restrict writeonly uimage2D next;
shared uint tile[18][18];
void main() {
  const ivec2 corner = ivec2(gl_WorkGroupID.xy) * 16 - 1;
  const ivec2 size = imageSize(now);
  for (uint i = gl_LocalInvocationIndex; i < 18 * 18; i += 256) {
    const ivec2 at = ivec2(i % 18, i / 18), p = corner + at;
    const bool inside = all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, size));
    tile[at.y][at.x] = inside ? imageLoad(now, p).x & 0xff : 0;
  }
  barrier();
  const ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(p, size))) return;
  const uvec2 l = gl_LocalInvocationID.xy + 1;
  uint alive = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if ((dx | dy) != 0) alive += tile[l.y + dy][l.x + dx] > 127 ? 1 : 0;
  const uint age = tile[l.y][l.x];
  const bool lives = alive == 3 || (age > 127 && alive == 2);
  imageStore(next, p, uvec4(lives ? max(age, 128u) : age / 2));
}
