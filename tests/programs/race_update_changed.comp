// -- a choice whose result is changed, or replaced, before it is stored: atomicMin() does not do that. Near miss: the choice alone, by it
// buffer 0 u32: 100 100
// buffer 1 u32: 100
// model-only: what a device gives is its own business
// expect 1 u32: 6
// finding race_update_changed.comp:20: data race: OpStore of 'least', invocation 0,0,0 of dispatch 0; against the load by 1,0,0
// finding race_update_changed.comp:20: data race: OpStore of 'least', invocation 1,0,0 of dispatch 0; against the store by 0,0,0
// finding race_update_changed.comp:23: data race: OpStore of 'last', invocation 0,0,0 of dispatch 0; against the load by 1,0,0
// finding race_update_changed.comp:23: data race: OpStore of 'last', invocation 1,0,0 of dispatch 0; against the store by 0,0,0
#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint least, last; };
layout(binding = 1) buffer B { uint least2; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint sent = 9 - i;
  uint t;
  if (sent < least) t = sent; else t = least;
  t += 1;
  least = t;
  if (sent < last) t = sent; else t = last;
  t = i;
  last = t;
  // Near miss.
  atomicMin(least2, sent);
}
