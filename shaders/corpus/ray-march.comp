// Ray marching of a signed distance field: a sphere with ripples on a plane, a normal by differences, one light.
// small: --groups 4,4 --push f32:0.5 --image frame=zeros:rgba32f:32x32
// large: --groups 32,32 --push f32:0.5 --image frame=zeros:rgba32f:256x256
// differs: 0.05 sines, square roots and divisions, and a normal by differences of 0.01 which makes them larger
// transcendental
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba32f) uniform writeonly image2D frame;
layout(push_constant) uniform Time { float iTime; };
float map(vec3 p) {
  float ripple = 0.03 * sin(8.0 * p.x + iTime) * sin(8.0 * p.y) * sin(8.0 * p.z);
  return min(length(p) - 1.0 + ripple, p.y + 1.2);
}
vec3 normalAt(vec3 p) {
  const vec2 e = vec2(0.01, 0.0);
  return normalize(vec3(map(p + e.xyy) - map(p - e.xyy), map(p + e.yxy) - map(p - e.yxy), map(p + e.yyx) - map(p - e.yyx)));
}
void main() {
  ivec2 size = imageSize(frame), p = ivec2(gl_GlobalInvocationID.xy);
  vec2 uv = (2.0 * (vec2(p) + 0.5) - vec2(size)) / float(size.y);
  vec3 origin = vec3(0.0, 0.2, 3.0), direction = normalize(vec3(uv, -1.8));
  float t = 0.0;
  for (int i = 0; i < 48; i++) t += 0.8 * map(origin + t * direction);
  float light = t < 12.0 ? max(dot(normalAt(origin + t * direction), normalize(vec3(1.0, 2.0, 1.5))), 0.0) : 0.0;
  imageStore(frame, p, vec4(vec3(light), 1.0));
}
