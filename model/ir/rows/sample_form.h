// What distinguishes the instructions that take a sampler (SPIR-V 1.6, 3.42.10): each says it in its row (rows/images.inc).
#pragma once

namespace lanewise::ir {

struct SampleForm {
  bool implicit = false;  // the level of detail comes from the quad's neighbours
  bool project = false;   // coordinates and reference are divided by the coordinate behind them
  bool compare = false;   // Dref: the reference follows the coordinate
  bool gather = false;    // one component of four texels; without Dref the component follows the coordinate
  bool queryLod = false;  // OpImageQueryLod: no texel is read, and the coordinates have no array layer
  bool sparse = false;    // the result is a structure: residency, then the texel
  bool operator==(const SampleForm&) const = default;
};

}  // namespace lanewise::ir
