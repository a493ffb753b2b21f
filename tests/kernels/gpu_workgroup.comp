#version 460
// 32768 bytes of workgroup memory, the most that every device has; tests change the length 8192 in the module.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) buffer Target { uint target[]; };
shared uint words[8192];
void main() {
  words[target[0]] = target[0];
  target[0] = words[target[0]] + 1u;
}
