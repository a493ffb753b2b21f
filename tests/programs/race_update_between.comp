// -- updates by way of a local that is set before and after, and with a function between that stores to locals alone: one atomic does.
// -- Near misses: the function stores to the buffer, and the local that says where is another in between
// buffer 0 u32: 5*0
// buffer 1 u32: 1 0 2
// model-only: what a race gives on a device is its own business
// one-order
// expect 0 u32: 1 2 1 0 1
// expect 1 u32: 1 0 1
// finding race_update_between.comp:35: data race: OpStore of 'set', invocation 0,0,0 of dispatch 0; against the load by 1,0,0
// finding race_update_between.comp:35: data race of equal values: OpStore of 'set', invocation 1,0,0 of dispatch 0
// finding race_update_between.comp:38: data race: OpStore of 'called', invocation 0,0,0 of dispatch 0; against the load by 1,0,0
// finding race_update_between.comp:38: data race of equal values: OpStore of 'called', invocation 1,0,0 of dispatch 0
// finding race_update_between.comp:27: data race of equal values: OpStore of 'two', invocation 1,0,0 of dispatch 0
// finding race_update_between.comp:41: data race: OpStore of 'stored', invocation 0,0,0 of dispatch 0; against the load by 1,0,0
// finding race_update_between.comp:41: data race of equal values: OpStore of 'stored', invocation 1,0,0 of dispatch 0
// finding race_update_between.comp:45: data race of equal values: OpStore of 'moved[1]', invocation 1,0,0 of dispatch 0
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint set, called, stored, moved[2]; };
layout(binding = 1) buffer B { uint one, zero, two; };
uint twice(uint x) {
  uint sum = x;
  sum += x;
  return sum;
}
uint storing(uint x) {
  two = x;
  return x;
}
void main() {
  uint v = zero;
  if (one == 1) v = 2;
  v = set;
  v = v + one;
  set = v;
  const uint was = called;
  const uint more = twice(one);
  called = was + more;
  const uint old = stored;
  const uint next = storing(one);
  stored = old + next;
  uint at = zero;
  const uint from = moved[at];
  at = one;
  moved[at] = from + one;
}
