// Level 0, kSide texels of a row at a time: what lies side by side is written side by side.
void copyTile(uvec2 where) {
  for (uint y = 0u; y < kTile; y += kSide)
    for (uint x = 0u; x < kTile; x += kSide) {
      uvec2 at = where * kTile + uvec2(x, y) + gl_LocalInvocationID.xy;
      vec4 depth = imageLoad(source, ivec2(min(at, push.size - 1u)));
      if (all(lessThan(at, push.size))) imageStore(levels[0], ivec2(at), depth);
    }
}
