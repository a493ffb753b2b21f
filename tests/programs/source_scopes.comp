// -- one name in three scopes, a function that is called again, a variable that some lanes have not written
// buffer 0 i32: 5 6 7 8
// expect 0 i32: 16 58 70 192
#version 450
layout(local_size_x = 4) in;
layout(constant_id = 3) const int kBias = 10;
struct Cell { ivec2 at; float weights[3]; };
layout(std430, binding = 0) buffer Data { int data[]; };
shared vec2 row[4];
int total = 0;
int twice(int x) {
  int y;
  y = x + x;
  total += y;
  return y;
}
void main() {
  int lane = int(gl_LocalInvocationIndex);
  ivec2 cell = ivec2(lane, 7);
  mat2x3 m;
  m[1] = vec3(1.0, 2.0, 3.0);
  Cell c;
  c.at = cell;
  c.weights[lane & 1] = 0.5;
  row[lane] = vec2(cell);
  int x = 1;
  for (int i = 0; i <= lane; ++i) {
    int x = i * 10;
    if ((i & 1) == 1) {
      int x = twice(x);
      data[lane] += x;
    }
    x += 1;
  }
  int later;
  if (lane > 1) later = kBias;
  data[lane] += x + cell.y + int(m[1].z) + (lane > 1 ? later : 0) + c.at.x + total;
}
