// -- one buffer under two names, of which neither says that there is another
// model-only: what a device makes of it is its own business
// buffer 0 u32: 1 2 3 4
// view 1 of 0
// expect 0 u32: 2 3 4 5
// finding aliased_bindings.comp:13: aliased bindings: OpStore of 'to[0]', invocation 0,0,0 of dispatch 0; another variable names the same memory at aliased_bindings.comp:12, and neither is Aliased
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint from[]; };
layout(binding = 1) buffer B { uint to[]; };
void main() {
  const uint was = from[gl_LocalInvocationIndex];
  to[gl_LocalInvocationIndex] = was + 1;
}
