// Matrix times vector of signed bytes by hand: four products a word, unpacked by shifts, a row an invocation.
// small: --groups 2 --push u32:8 --buffer W=u32:noise:512 --buffer V=u32:noise:8 --out R=-:256
// large: --groups 64 --push u32:128 --buffer W=u32:noise:262144 --buffer V=u32:noise:128 --out R=-:8192
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer W { uint w[]; };
layout(binding = 1) readonly buffer V { uint v[]; };
layout(binding = 2) writeonly buffer R { int r[]; };
layout(push_constant) uniform K { uint words; };
#define BYTE(x, n) (int((x) << (24 - 8 * (n))) >> 24)
#define DOT4(a, b) (BYTE(a, 0) * BYTE(b, 0) + BYTE(a, 1) * BYTE(b, 1) + BYTE(a, 2) * BYTE(b, 2) + BYTE(a, 3) * BYTE(b, 3))
void main() {
  uint row = gl_GlobalInvocationID.x;
  int acc = 0;
  for (uint k = 0; k < words; ++k) {
    uint a = w[row * words + k], b = v[k];
    acc += DOT4(a, b);
  }
  r[row] = acc;
}
