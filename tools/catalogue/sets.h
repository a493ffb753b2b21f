// The sets of cases of `lanewise validate --set`, each in a fixed order, enumerated without being stored.
//
//   quick       the kernel's own blocks, chosen case by case (kernel.h)
//   full        the quick set; every size to 72x72, the other axes dealt out; every value to 63 of each number (the radius), on a size of
//               each class; and every pair of values of any two axes (size class, numbers, edges, formats, inputs, subgroup sizes)
//   exhaustive  every size to 72x72 with every such number, edge, format, input and subgroup size; the large sizes with the quick values.
//               Of a kernel with several numbers the quick values of each, and every value of one at a time
//
// "Dealt out": a hash of the position picks the value, so that an axis is never in step with another (every second width with every second
// edge would hide a bug of odd widths).
#pragma once

#include <functional>

#include "tools/catalogue/catalogue.h"

namespace lanewise {

enum class CaseSet : std::uint8_t { kQuick, kFull, kExhaustive };

// "quick", "full", "exhaustive"; bad input for others.
Expected<CaseSet> parseCaseSet(std::string_view text);

// Sizes of each class: each remainder by 4 of width with each of height, a side of 1, and both sides of powers of two.
std::vector<Size> classSizes();

// Calls `visit` for every case of the set with the overrides in the place of its axes. What the set itself brings and the kernel does not
// take (a size beyond its largest) is left out; what the user named and it does not take is bad input.
Status forEachCase(const Kernel& kernel, CaseSet set, const Overrides& overrides, const std::function<void(const Case&)>& visit);

// Rows of indices, one for each axis, such that every pair of indices of any two axes is in a row. Greedy; the same rows every time.
std::vector<std::vector<std::size_t>> pairwiseRows(const std::vector<std::size_t>& lengths);

}  // namespace lanewise
