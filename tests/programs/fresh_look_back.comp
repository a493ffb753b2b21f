// -- a decoupled look-back whose workgroups read the status and the sum before them as two words, with no order between these
// model-only: it waits for another workgroup
// groups 4 1 1
// buffer 0 u32: 4*1
// buffer 1 u32: 8*0
// buffer 2 u32: 0
// expect 0 u32: 1 2 3 4
// finding fresh_look_back.comp:26: data race: OpLoad of 'prefix[0]', invocation 32,0,0 of dispatch 0; against the store by 0,0,0 at fresh_look_back.comp:30; it read 1; nothing orders their workgroups
#version 460
layout(local_size_x = 32) in;
layout(binding = 0) buffer V { uint values[]; };
layout(binding = 1) coherent buffer S { uint status[4]; uint prefix[4]; };
layout(binding = 2) buffer T { uint ticket; };
shared uint tile;
void main() {
  if (gl_LocalInvocationIndex == 0) tile = atomicAdd(ticket, 1);
  barrier();
  if (gl_LocalInvocationIndex != 0) return;
  const uint own = values[tile];
  prefix[tile] = own;
  atomicExchange(status[tile], tile == 0 ? 2 : 1);
  uint before = 0;
  for (uint back = tile; back > 0;) {
    const uint state = atomicAdd(status[back - 1], 0);
    if (state == 0) continue;
    before += prefix[back - 1];
    if (state == 2) break;
    --back;
  }
  prefix[tile] = before + own;
  atomicExchange(status[tile], 2);
  values[tile] = before + own;
}
