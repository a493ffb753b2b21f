// buffer 0 poison: 512
// groups 2 1 1
// expect 0 u32: definition
#version 460
layout(local_size_x = 16, local_size_y = 4) in;
layout(binding = 0) buffer B { uint o[]; };
shared uint s[64];
shared struct { uint a[3]; uvec2 v; bool b; } t[4];
void main() {
  uint l = gl_LocalInvocationIndex;
  s[l] = l * l + gl_WorkGroupID.x;
  if (l < 4) { t[l].a[l % 3] = l; t[l].a[(l + 1) % 3] = 2 * l; t[l].a[(l + 2) % 3] = 3; t[l].v = uvec2(l, l + 1); t[l].b = (l & 1) == 1; }
  barrier();
  for (uint step = 1; step < 64; step *= 2) {
    uint v = s[(l + step) % 64];
    if ((l & step) != 0) v += 3;
    barrier();
    s[l] = s[l] * 2 + v;
    barrier();
  }
  o[gl_WorkGroupID.x * 64 + l] = s[l] + t[l & 3].a[l % 3] * 5 + t[(l >> 2) & 3].v.y + uint(t[(l >> 4) & 3].b);
}
