// The host's side of the pyramids with two pipelines: which pipeline makes how many levels, dispatch after dispatch, and its workgroups.
//
// The fast pipeline takes a level whose sides are multiples of 2^k and makes k levels. The general one takes any level and makes two. At
// each step the fast one is chosen if the sides are multiples of 2^fastLeast, and makes as many levels as it can. Otherwise the general one
// is chosen. If there is nothing to make, there is no dispatch.
#pragma once

#include <vector>

#include "tools/catalogue/kernel.h"

namespace lanewise {

struct PyramidRules {
  std::uint32_t fastLeast = 2;    // sides must be multiples of 2^this for the fast pipeline
  std::uint32_t fastMost = 6;     // levels of a fast dispatch; 0: there is no fast pipeline
  std::uint32_t generalMost = 2;  // levels of a general dispatch
  std::uint32_t fastLocal = 256;  // invocations of a fast group: 256 or 1024
};

struct PyramidStep {
  bool fast = false;
  std::uint32_t base = 0;    // the level that is read
  std::uint32_t levels = 0;  // how many levels are made
  Size size;                 // of the level that is read
  friend bool operator==(const PyramidStep&, const PyramidStep&) = default;
};

// The steps down to `levels` levels, with the base.
std::vector<PyramidStep> pyramidSteps(Size base, std::uint32_t levels, const PyramidRules& rules);

// The work of a step: the tiles that its kernel counts (texels, for one general level), and the workgroups for them. They are spread over
// two axes if one is not enough; every implementation allows 65535 per axis.
struct PyramidWork {
  std::uint32_t tiles = 0;
  Extent3 groups;
};
PyramidWork pyramidWork(const PyramidStep& step, const PyramidRules& rules, std::uint32_t mostGroups = 65535);

// The dispatch of a step: bindings 0[0] to 0[6] are the level that is read and those that are written, views of `pyramid`.
// How the texels of a pyramid's levels are seen: those that a dispatch writes (binding 0) and those that it reads (binding 2).
struct TexelViews {
  Format written = Format::UNDEFINED, read = Format::UNDEFINED;
};
Dispatch pyramidDispatch(const PyramidStep& step, const PyramidRules& rules, const std::string& pyramid, const TexelViews& views,
                         std::uint32_t mostGroups = 65535);

}  // namespace lanewise
