// The entry point of a single-pass pyramid. The including file defines reduceTile(base, tile), which makes the kLevels levels above a tile
// of level `base`, and NUMBER: invocation 0 stores the topmost texel. kTile is 1 << kLevels, kPictures at most 3 * kLevels + 1.
void continueFrom(uint base) {
  if (base + 1u >= push.levels) return;
  uvec2 tiles = (levelSize(base) + kTile - 1u) / kTile;
  for (uint t = 0u; t < tiles.x * tiles.y; ++t) {
    tileBarrier();  // the reads of the previous tile are done
    reduceTile(base, uvec2(t % tiles.x, t / tiles.x));
  }
  tailBarrier();
}

void main() {
  reduceTile(0u, push.origin + gl_WorkGroupID.xy);
  if (push.levels <= kLevels + 1u || !isLastWorkgroup(NUMBER == 0u)) return;
  continueFrom(kLevels);
  if (kPictures > 2u * kLevels + 1u) continueFrom(2u * kLevels);
}
