// Jobs of the kernels of tests/kernels that work on buffers of words.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "model/model.h"
#include "tests/kernels/kernels.h"

namespace lanewise {

// Two buffers of words, and others of zeros; one for each binding.
inline Job kernelJob(const std::string& kernel, std::uint32_t groups, std::span<const std::uint32_t> words) {
  Job job;
  Dispatch d;
  d.module = testKernel(kernel);
  d.groups = {groups, 1, 1};
  for (std::uint32_t b = 0; b < words.size(); ++b) {
    std::vector<std::uint32_t> values(words[b]);
    for (std::uint32_t i = 0; i < values.size() && b < 2; ++i) values[i] = i * 0x9e3779b1u;
    BufferData data;
    data.bytes.resize(values.size() * 4);
    if (!values.empty()) std::memcpy(data.bytes.data(), values.data(), data.bytes.size());
    job.resources.push_back({"b" + std::to_string(b), data, false, true});
    Binding binding;
    binding.binding = b;
    binding.resource = job.resources.back().name;
    d.bindings.push_back(binding);
  }
  job.dispatches.push_back(d);
  return job;
}

// Of parts_views.comp: the buffer, and its texels of 32 and of 16 bits.
inline Job viewsJob(std::uint32_t groups, std::uint32_t mode) {
  const std::uint32_t words[] = {groups * 32, groups + 1};
  Job job = kernelJob("parts_views", groups, words);
  Dispatch& d = job.dispatches[0];
  d.spec = {{0, mode}};
  for (const Format format : {Format::R32_UINT, Format::R16_UINT}) {
    Binding view = d.bindings[0];
    view.binding = static_cast<std::uint32_t>(d.bindings.size());
    view.viewFormat = format;
    d.bindings.push_back(view);
  }
  return job;
}

// Of parts_levels.comp: the levels of a picture of 16 texels a workgroup, and its counter.
inline Job levelsJob(std::uint32_t groups, std::uint32_t mode) {
  const std::uint32_t words[] = {16 * groups, 2};
  Job job = kernelJob("parts_levels", groups, words);
  job.resources[1].bytes() = std::vector<std::byte>(8);
  ImageData picture;
  picture.format = Format::R32_UINT;
  picture.extent = {16 * groups, 1, 1};
  picture.levels = 4;
  picture.bytes.resize(picture.levelOffset(picture.levels));
  const std::vector<std::byte> first = job.resources[0].bytes();
  std::ranges::copy(first, picture.bytes.begin());
  job.resources[0].data = picture;
  Dispatch& d = job.dispatches[0];
  d.spec = {{0, mode}};
  d.bindings[0].levelCount = 1;
  for (std::uint32_t level = 1; level < picture.levels; ++level) {
    Binding view = d.bindings[0];
    view.element = view.baseLevel = level;
    d.bindings.push_back(view);
  }
  return job;
}

}  // namespace lanewise
