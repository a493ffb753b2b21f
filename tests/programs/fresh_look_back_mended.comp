// -- fresh_look_back.comp with sum and status in one word, that is stored and loaded at once
// model-only: it waits for another workgroup
// groups 4 1 1
// buffer 0 u32: 4*1
// buffer 1 u32: 4*0
// buffer 2 u32: 0
// expect 0 u32: 1 2 3 4
#version 460
layout(local_size_x = 32) in;
layout(binding = 0) buffer V { uint values[]; };
layout(binding = 1) coherent buffer S { uint state[4]; };
layout(binding = 2) buffer T { uint ticket; };
shared uint tile;
void main() {
  if (gl_LocalInvocationIndex == 0) tile = atomicAdd(ticket, 1);
  barrier();
  if (gl_LocalInvocationIndex != 0) return;
  const uint own = values[tile];
  atomicExchange(state[tile], own << 2 | (tile == 0 ? 2u : 1u));
  uint before = 0;
  for (uint back = tile; back > 0;) {
    const uint found = atomicAdd(state[back - 1], 0);
    if ((found & 3) == 0) continue;
    before += found >> 2;
    if ((found & 3) == 2) break;
    --back;
  }
  atomicExchange(state[tile], (before + own) << 2 | 2u);
  values[tile] = before + own;
}
