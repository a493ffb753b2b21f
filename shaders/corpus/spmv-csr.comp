// Sparse matrix times vector: CSR, a row an invocation, eight entries a row in any columns.
// small: --groups 2 --push u32:100 --buffer Cols=u32:noise:800:0..99 --buffer Vals=f32:noise:800:-1..1 --buffer X=f32:noise:100 --out Y=-:400
// large: --groups 2048 --push u32:131072 --buffer Cols=u32:noise:1048576:0..131071 --buffer Vals=f32:noise:1048576:-1..1
// large: --buffer X=f32:noise:131072 --out Y=-:524288
// differs: 1e-5 sums of products may be contracted
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Cols { uint col_idx[]; };
layout(binding = 1) readonly buffer Vals { float values[]; };
layout(binding = 2) readonly buffer X { float x[]; };
layout(binding = 3) writeonly buffer Y { float y[]; };
layout(push_constant) uniform N { uint num_rows; };
void main() {
  uint row = gl_GlobalInvocationID.x;
  if (row < num_rows) {
    // rows end where the number of their entries, 5 to 8, says
    uint row_start = row * 8u, row_end = row_start + 5u + row % 4u;
    float dot = 0.0;
    for (uint e = row_start; e < row_end; e++) dot += values[e] * x[col_idx[e]];
    y[row] = dot;
  }
}
