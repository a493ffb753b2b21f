#version 460
#extension GL_EXT_samplerless_texture_functions : require
// Shader values to texels, or texels to shader values, of one image in whichever of the six bindings suits its format.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Values { uvec4 values[]; };
layout(set = 0, binding = 1) writeonly buffer Result { uvec4 result[]; };
layout(set = 0, binding = 2) writeonly uniform image2D storedFloat;
layout(set = 0, binding = 3) writeonly uniform iimage2D storedInt;
layout(set = 0, binding = 4) writeonly uniform uimage2D storedUint;
layout(set = 0, binding = 5) uniform texture2D fetchedFloat;
layout(set = 0, binding = 6) uniform itexture2D fetchedInt;
layout(set = 0, binding = 7) uniform utexture2D fetchedUint;
layout(push_constant) uniform Push { uint slot, count; };

void main() {
  const uint n = gl_GlobalInvocationID.x;
  if (n >= count) return;
  const ivec2 at = ivec2(n & 255u, n >> 8);
  switch (slot) {
    case 2: imageStore(storedFloat, at, uintBitsToFloat(values[n])); break;
    case 3: imageStore(storedInt, at, ivec4(values[n])); break;
    case 4: imageStore(storedUint, at, values[n]); break;
    case 5: result[n] = floatBitsToUint(texelFetch(fetchedFloat, at, 0)); break;
    case 6: result[n] = uvec4(texelFetch(fetchedInt, at, 0)); break;
    case 7: result[n] = texelFetch(fetchedUint, at, 0); break;
  }
}
