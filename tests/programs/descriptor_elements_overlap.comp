// -- two elements of an array of buffers that share bytes: all stores of one come before the loads of the other
// model-only: the invocations race, and what a device makes of it is its own business
// races
// subgroup-size 128
// buffer 0.0 u32: 192*0
// view 0.0 size 512
// view 0.1 of 0.0 offset 256 size 512
// buffer 1 poison: 1024
// push u32: 3
// expect 0.0 u32: 2001..2064 3065..3128 64*1000
// expect 1 u32: 65..128 64*0 1001..1064 2065..2128
// finding descriptor_elements_overlap.comp:24: data race: OpLoad of 'v[1].a[0]', invocation 0,0,0 of dispatch 0; against the store by 64,0,0 at descriptor_elements_overlap.comp:23
// finding descriptor_elements_overlap.comp:28: data race: OpLoad of 'v[1].a[0]', invocation 0,0,0 of dispatch 0; against the store by 64,0,0 at descriptor_elements_overlap.comp:29
// finding descriptor_elements_overlap.comp:29: data race: OpStore of 'v[0].a[64]', invocation 64,0,0 of dispatch 0; against the load by 0,0,0 at descriptor_elements_overlap.comp:24
// finding descriptor_elements_overlap.comp:29: data race: OpStore of 'v[1].a[0]', invocation 0,0,0 of dispatch 0; against the store by 64,0,0 at descriptor_elements_overlap.comp:29
#version 460
layout(local_size_x = 128) in;
layout(binding = 0) buffer A { uint a[]; } v[2];
layout(binding = 1) buffer B { uint o[]; };
layout(push_constant) uniform Push { uint count; };
void main() {
  const uint l = gl_LocalInvocationIndex;
  v[0].a[l] = l + 1;
  o[l] = v[1].a[l];
  barrier();
  uint was = 0;
  for (uint i = 0; i < count; ++i) {
    was = v[i & 1].a[l];
    v[i & 1].a[l] = was + 1000;
  }
  o[128 + l] = was;
}
