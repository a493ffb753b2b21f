// Deeply nested control flow: each invocation interprets a byte code with a stack, loops and jumps of its own.
// small: --groups 1 --push u32:64 --buffer Code=u32:noise:64 --out Result=-:256
// large: --groups 256 --push u32:64 --buffer Code=u32:noise:64 --out Result=-:65536
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Code { uint code[]; };
layout(binding = 1) writeonly buffer Result { uint result[]; };
layout(push_constant) uniform Length { uint length_; };
void main() {
  uint stack[8];
  for (int i = 0; i < 8; i++) stack[i] = gl_GlobalInvocationID.x * 2654435761u + uint(i);
  uint sp = 0u, pc = gl_GlobalInvocationID.x % length_;
  for (uint step_ = 0u; step_ < 96u; step_++) {
    uint op = code[pc];
    pc = (pc + 1u) % length_;
    uint top = stack[sp & 7u];
    switch (op & 7u) {
      case 0u: sp++; stack[sp & 7u] = top ^ (op >> 3); break;
      case 1u: sp--; stack[sp & 7u] += top; break;
      case 2u:
        for (uint k = 0u; k < (top & 7u); k++) {
          if ((top >> k & 1u) == 0u) continue;
          if (k == 6u) { sp++; break; }
          for (uint j = k; j < 4u; j++)
            if ((stack[j] & 1u) != 0u) stack[j] = stack[j] * 3u + 1u; else stack[j] >>= 1;
        }
        break;
      case 3u:
        if (top > 0x80000000u) {
          if ((top & 2u) != 0u) pc = (pc + (op >> 8)) % length_;
          else if ((top & 4u) != 0u) sp += 2u;
          else stack[sp & 7u] = ~top;
        } else {
          do { top = top * 5u + 3u; } while ((top & 3u) != 0u && top > 77u);
          stack[sp & 7u] = top;
        }
        break;
      case 4u: stack[(sp + op) & 7u] = top; break;
      case 5u: stack[sp & 7u] = bitfieldReverse(top); break;
      case 6u: if ((top & 15u) == 9u) { result[gl_GlobalInvocationID.x] = step_; return; } stack[sp & 7u] = top + 7u; break;
      default: stack[sp & 7u] = (top << 7) | (top >> 25);
    }
  }
  uint hash = sp;
  for (int i = 0; i < 8; i++) hash = hash * 31u + stack[i];
  result[gl_GlobalInvocationID.x] = hash;
}
