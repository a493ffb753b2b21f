// Sums by atomics whose results nobody uses: SUM says which.
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 32) in;
layout(constant_id = 0) const uint SUM = 0;
layout(binding = 0) buffer U { uint words[4]; };
layout(binding = 1) buffer I { int signs[4]; };
layout(binding = 2) buffer L { uint64_t wide[4]; };
void main() {
  const uint i = gl_GlobalInvocationID.x * 2654435761u;
  switch (SUM) {
    case 0:
      atomicAdd(words[i & 3], i);
      break;
    case 1:
      atomicAnd(words[i & 3], i | 0xff0000ff);
      break;
    case 2:
      atomicOr(words[i & 3], i & 0x11111111);
      break;
    case 3:
      atomicXor(words[i & 3], i);
      break;
    case 4:
      atomicMin(words[i & 3], i);
      break;
    case 5:
      atomicMax(words[i & 3], i);
      break;
    case 6:
      atomicMin(signs[i & 3], int(i));
      break;
    case 7:
      atomicMax(signs[i & 3], int(i));
      break;
    case 8:
      atomicAdd(wide[i & 3], uint64_t(i) << 20);
      break;
    case 9:
      atomicMin(wide[i & 3], uint64_t(i) << 20);
      break;
    case 11:  // of two kinds, in scalars of their own
      atomicAdd(words[0], i);
      atomicMin(words[1], i);
      atomicMax(words[2 + (i & 1)], i);
      break;
    case 12:  // in one scalar
      atomicAdd(words[i & 3], i);
      atomicMax(words[3], i);
      break;
    case 13:  // wherever the buffer says
      atomicAdd(words[signs[i & 3]], i);
      atomicMax(words[1], i);
      break;
    default:
      atomicExchange(words[i & 3], i);
      break;
  }
}
