// -- invocations store to one slice of a 3D image, one layer, one face: what is named has that number, of the first too. Near miss: each
// -- stores to its own
// image 0 r32ui 3d 2x1x2 u32: 4*0
// image 1 r32ui 2d 2x1 layers 2 u32: 4*0
// image 2 r32ui cube 2x2 layers 6 u32: 24*0
// image 3 r32ui 3d 2x1x2 u32: 4*0
// model-only: what a race gives on a device is its own business
// one-order
// expect 3 u32: 0 1 2 3
// finding race_layers.comp:21: data race: OpImageWrite of 'volume[0,0,0]', invocation 0,0,1 of dispatch 0; against the store by 0,0,0
// finding race_layers.comp:22: data race: OpImageWrite of 'stack[0,0,1]', invocation 0,0,1 of dispatch 0; against the store by 0,0,0
// finding race_layers.comp:23: data race: OpImageWrite of 'faces[1,1,5]', invocation 0,0,1 of dispatch 0; against the store by 0,0,0
#version 460
layout(local_size_x = 2, local_size_z = 2) in;
layout(binding = 0, r32ui) uniform uimage3D volume;
layout(binding = 1, r32ui) uniform uimage2DArray stack;
layout(binding = 2, r32ui) uniform uimageCube faces;
layout(binding = 3, r32ui) uniform uimage3D own;
void main() {
  const ivec3 at = ivec3(gl_LocalInvocationID);
  imageStore(volume, ivec3(at.xy, 0), uvec4(at.z));
  imageStore(stack, ivec3(at.xy, 1), uvec4(at.z));
  if (at.x == 0) imageStore(faces, ivec3(1, 1, 5), uvec4(at.z));
  imageStore(own, at, uvec4(gl_LocalInvocationIndex));
}
