// -- compilers write no line behind a choice or a loop where a variable decides next: the barrier stands after what the line is of. Near
// -- misses: a statement with a line of its own behind one, and a barrier that is there
// buffer 0 u32: 1 0 1 0 1 0 1 1
// buffer 1 u32: 16*0
// model-only: what a race gives on a device is its own business
// one-order
// expect 1 u32: 22 0 18 0 14 0 10 6 7 6 5 4 3 2 1 0
// finding race_choice_without_line.comp:25: data race: OpLoad of 'chosen[7]', invocation 0,0,0 of dispatch 0; against the store by 7,0,0 at race_choice_without_line.comp:22; it read 7; no barrier of the workgroup orders them
// finding race_choice_without_line.comp:32: data race: OpLoad of 'switched[1]', invocation 0,0,0 of dispatch 0; against the store by 1,0,0 at race_choice_without_line.comp:28; it read 1; no barrier of the workgroup orders them
// finding race_choice_without_line.comp:38: data race: OpLoad of 'looped[7]', invocation 0,0,0 of dispatch 0; against the store by 7,0,0 at race_choice_without_line.comp:35; it read 7; no barrier of the workgroup orders them
// finding race_choice_without_line.comp:43: data race: OpLoad of 'stated[7]', invocation 0,0,0 of dispatch 0; against the store by 7,0,0 at race_choice_without_line.comp:41; it read 7; no barrier of the workgroup orders them
#version 460
layout(local_size_x = 8) in;
layout(binding = 0) buffer In { uint values[]; };
layout(binding = 1) buffer Out { uint result[]; };
shared uint chosen[8], switched[8], looped[8], stated[8], ordered[8];
void main() {
  const uint i = gl_LocalInvocationIndex;
  bool odd = values[i] == 1;
  if (i < 9)
  {
    chosen[i] = i;
  }
  if (odd)
    result[i] = chosen[7 - i];
  switch (i / 8)
  {
    case 0: switched[i] = i; break;
    default: result[i] = 9;
  }
  if (odd)
    result[i] += switched[i ^ 1];
  for (uint k = i; k < 8; k += 8)
  {
    looped[k] = k;
  }
  if (odd)
    result[i] += looped[7 - i];
  if (i < 9)
  {
    stated[i] = i;
  }
  result[8 + i] = stated[7 - i];
  if (i < 9)
  {
    ordered[i] = i;
  }
  barrier();
  if (odd)
    result[i] += ordered[7 - i];
}
