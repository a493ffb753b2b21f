// buffer 0 f32: 1 2 3 4 5 6 7 8
// push i32: 2
// -- (1 + 2 + 3) * scale * 2; terms - 2; the weight that the push constant chooses
// expect 0 f32: 6 1 9 4 5 6 7 8
// finding source_variables.comp:33: data race: OpStore of 'values.data[0]', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at source_variables.comp:26
// finding source_variables.comp:34: data race: OpStore of 'values.data[1]', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at source_variables.comp:26
// finding source_variables.comp:35: data race: OpStore of 'values.data[2]', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at source_variables.comp:26
#version 450
layout(local_size_x = 2) in; struct Item { vec3 color; float weights[4]; };
layout(std430, binding = 0) buffer Values { float data[]; } values;
layout(push_constant) uniform Choice { int which; } choice;
shared mat3x2 tile[2];
float scale = 0.5;
float addUp(in vec3 v, out int terms) {
  float sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    float term = v[i];
    sum += term;
  }
  terms = 3;
  return sum;
}
void main() {
  uint lane = gl_LocalInvocationID.x;
  Item item;
  item.color = vec3(values.data[0], values.data[1], values.data[2]);
  item.weights[choice.which] = 9.0;
  int terms = -1;
  if (lane == 0u) {
    float scale = addUp(item.color, terms) * scale;
    tile[1][2].y = scale;
    bool odd = (terms & 1) != 0;
    values.data[0] = scale * (odd ? 2.0 : 1.0);
    values.data[1] = float(terms) - 2.0;
    values.data[2] = item.weights[2];
  }
}
