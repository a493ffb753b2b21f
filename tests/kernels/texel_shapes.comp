// Reads texels of an image of any shape at neighbouring places, scattered along all axes and at one place, outside too, and stores texels
// likewise. The test makes the images (images_test.cpp).
#version 450
layout(local_size_x = 40) in;
layout(binding = 0, FROM) uniform readonly IMAGE from;
layout(binding = 1, INTO) uniform writeonly IMAGE into;
layout(binding = 2) buffer Bits { uvec4 bits[]; };
uvec4 sizes(int v) { return uvec4(v, 0, 0, 0); }
uvec4 sizes(ivec2 v) { return uvec4(v, 0, 0); }
uvec4 sizes(ivec3 v) { return uvec4(v, 0); }
void main() {
  int n = int(gl_GlobalInvocationID.x);
  bits[n * 5] = imageLoad(from, PLACE(ivec3(n - 3, 1, 1)));
  bits[n * 5 + 1] = imageLoad(from, PLACE(ivec3(n % 5, n / 5 % 4, n / 20)));
  bits[n * 5 + 2] = imageLoad(from, PLACE(ivec3(gl_WorkGroupID.xxx)));
  bits[n * 5 + 3] = sizes(imageSize(from));
  bits[n * 5 + 4] = sizes(imageSize(into));
  imageStore(into, PLACE(ivec3(n + 1, 1, 0)), uvec4(n * 7 + 1));
  if (n % 3 == 1) imageStore(into, PLACE(ivec3(n % 4, n / 4 % 3, n / 12)), uvec4(n + 3));
}
