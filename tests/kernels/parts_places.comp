// Places that the numbers of a dispatch make each workgroup's own, and beside each some that are nearly so: MODE says which.
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8, local_size_y = 4) in;
layout(constant_id = 0) const uint MODE = 0;
layout(push_constant) uniform Push { uint width, height, bits; };
layout(binding = 0) buffer R { uint result[]; };
layout(binding = 0) buffer B { uint8_t bytes[]; };
layout(binding = 1) buffer S { uint pitch, other; };
void main() {
  const uint x = gl_GlobalInvocationID.x, y = gl_GlobalInvocationID.y;
  const int sx = int(x), sy = int(y);
  switch (MODE) {
    case 0:  // rows, as wide as all workgroups together
      result[y * width + x] = x + 3 * y;
      break;
    case 1:  // a row begins inside of the one before
      result[y * (width - 1) + x] = x + 3 * y;
      break;
    case 2:  // what is beyond a row is left out
      if (x < width && y < height) result[y * width + x] = x + 3 * y;
      break;
    case 3:  // but for one
      if (x <= width && y < height) result[y * width + x] = x + 3 * y;
      break;
    case 4:  // the same, of signed numbers
      if (sx >= int(width) || sy >= int(height)) return;
      result[uint(sy * int(width) + sx)] = x + 3 * y;
      break;
    case 5:  // columns and rows exchanged
      if (x < width && y < height) result[x * height + y] = x + 3 * y;
      break;
    case 6:  // a whole column an invocation
      if (gl_LocalInvocationID.y == 0 && x < width)
        for (int k = 0; k < int(height); ++k) result[uint(k) * width + x] += x + 3 * uint(k);
      break;
    case 7:  // the row behind it, too
      if (gl_LocalInvocationID.y == 0 && x < width)
        for (int k = 0; k < int(height); ++k) result[uint(k + 1) * (width - 3) + x] += x + 3 * uint(k);
      break;
    case 8:  // two by two
      if (any(greaterThanEqual(gl_GlobalInvocationID.xy * 2, uvec2(width, height)))) return;
      for (uint k = 0; k < 4; ++k) result[(gl_GlobalInvocationID.y * 2 + (k >> 1)) * width + gl_GlobalInvocationID.x * 2 + (k & 1)] = x + k;
      break;
    case 9:  // three by two: the third is the next one's
      if (any(greaterThanEqual(gl_GlobalInvocationID.xy * 2, uvec2(width, height)))) return;
      for (uint k = 0; k < 6; ++k) result[(gl_GlobalInvocationID.y * 2 + k / 3) * width + gl_GlobalInvocationID.x * 2 + k % 3] = x + k;
      break;
    case 10:  // every second one, of half as many rows
      if (x % 2 == 0 && y % 2 == 0) result[(y / 2) * (width / 2) + x / 2] = x + 3 * y;
      break;
    case 11:  // a third does not end where a workgroup does
      result[(y / 3) * width + x / 3] = x + 3 * y;
      break;
    case 12:  // the width is in a buffer that nobody stores to
      result[y * pitch + x] = x + 3 * y;
      break;
    case 13:  // in one that somebody stores to
      result[y * pitch + x] = x + 3 * y;
      if (x == 0 && y == 0) other = 7;
      break;
    case 14:  // by the number of workgroups; what is loaded is the same place
      result[(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 32 + gl_LocalInvocationIndex] ^= x;
      break;
    case 15:  // loaded from the workgroup below
      result[(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 32 + gl_LocalInvocationIndex] =
          result[((gl_WorkGroupID.y + 1) * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 32 + gl_LocalInvocationIndex] + x;
      break;
    case 16:  // a product that wraps: 2^20 * 2^12 is 0
      result[(y * bits << 12) + x] = x + 3 * y;
      break;
    case 17:  // what has wrapped is no quotient of the whole
      result[x * 50331648 / 3] = x + 3 * y;
      break;
    case 18: {  // the place that it had a round before was inside of the row
      if (gl_LocalInvocationIndex != 0) return;
      uint at = 0;
      bool inside = false;
      for (uint k = 0; k < height; ++k) {
        if (inside) result[gl_WorkGroupID.x * width + at] = result[gl_WorkGroupID.x * width + at] * 31 + x;
        inside = at < width;
        at = at * 3 + 5;
      }
      break;
    }
    case 19: {  // by a sum that is negative where it has wrapped: with its constant
      const int at = int(gl_WorkGroupID.x * width + gl_LocalInvocationID.x + 50);
      if (gl_LocalInvocationID.y == 0 && at < int(height)) bytes[uint(at) + gl_WorkGroupID.y * bits + 0x80000010u - 43] = uint8_t(x + 3 * y);
      break;
    }
    case 20: {  // a signed counter that may be the greatest number wraps behind it
      const uint at = gl_WorkGroupID.x * 0x80000000u + 0x80000010u;
      if (gl_LocalInvocationIndex != 0) return;
      bytes[at] = uint8_t(x + 1);
      uint count = 0;
      for (int k = 0x7ffffff0; k <= int(bits); ++k) {
        bytes[at + uint(k)] = uint8_t(x + 2);
        if (++count == 20) break;
      }
      break;
    }
    case 23:  // a column of a grid an invocation: the place goes on by a plane each round
    case 24: {  // by less than that
      if (x >= width || y >= height) return;
      const uint plane = width * height - (MODE - 23);
      uint at = y * width + x;
      for (int k = 1; k < int(bits); ++k) {
        at += plane;
        result[at] = result[at] * 3 + x + 5 * y;
      }
      break;
    }
    case 25: {  // what every later round has again counts no rounds
      if (gl_LocalInvocationIndex != 0) return;
      uint at = gl_WorkGroupID.x * 2, k = 0;
      for (uint later = 0;; later = 1) {
        if (later < height) result[at] = result[at] * 3 + x;
        ++at;
        if (++k >= bits) break;
      }
      break;
    }
    case 21:
    case 22: {  // the same, where the greatest number is in the code
      const int most = MODE == 21 ? 0x7ffffffe : 0x7fffffff;
      if (gl_LocalInvocationIndex != 0) return;
      result[gl_WorkGroupID.x * 32] = x + 1;
      uint count = 0;
      for (int k = 0x7ffffff0; k <= most; ++k) {
        result[gl_WorkGroupID.x * 32 + (uint(k) >> 26)] = x + 2;
        if (++count == 20) break;
      }
      break;
    }
  }
}
