// What the plans of the photo statistics are made of: groups that cover a picture, in one dispatch or in up to four that fit it exactly.
#pragma once

#include <vector>

#include "tools/catalogue/kernel.h"

namespace lanewise {

// A group's size, and how many texels one below the other an invocation takes.
struct PhotoGroups {
  std::uint32_t width = 16, height = 16, texels = 1;
};

// One dispatch over a part of the picture.
struct PhotoPart {
  Size local;                  // the group's size
  Extent3 groups;              // how many
  std::uint32_t x = 0, y = 0;  // where the part begins
  friend bool operator==(const PhotoPart&, const PhotoPart&) = default;
};

// Checked: one part of groups of one size that cover the picture. Otherwise whole groups, the right strip, the lower strip and the corner,
// those that are not empty, without a texel outside. `groups.texels` is 1 then.
std::vector<PhotoPart> photoParts(Size size, PhotoGroups groups, bool checked);

// A case, its module, and its resources in the order of their bindings 0, 1, ...
struct PhotoRun {
  const Case& what;
  std::shared_ptr<const ShaderModule> module;
  std::vector<Resource> resources;
};

// The dispatches of all parts; `over` is what the invocations stand for.
Job photoJob(PhotoRun run, Size over, PhotoGroups groups, bool checked);

// Two vectors of counts from a picture whose texels are 32-bit numbers: its even rows one after another, and its odd rows; a last even row
// without a partner stands in both.
struct PhotoVectors {
  golden::Image a, b;  // n x 1 of u32
};
PhotoVectors photoVectors(const golden::Image& picture);

// A buffer that a kernel reads, and one that starts as zeros and is wanted back.
Resource inputBuffer(std::string name, const golden::Image& values);
Resource zeroedOutput(std::string name, std::size_t bytes);

}  // namespace lanewise
