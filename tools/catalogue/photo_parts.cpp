#include "tools/catalogue/photo_parts.h"

#include "tools/catalogue/families.h"

namespace lanewise {

std::vector<PhotoPart> photoParts(Size size, PhotoGroups groups, bool checked) {
  if (checked) {
    const Extent3 count{groupsFor(size.width, groups.width), groupsFor(size.height, groups.height * groups.texels), 1};
    return {{{groups.width, groups.height}, count, 0, 0}};
  }
  const std::uint32_t wide = size.width / groups.width, high = size.height / groups.height;
  const std::uint32_t right = size.width % groups.width, below = size.height % groups.height;
  const PhotoPart all[] = {{{groups.width, groups.height}, {wide, high, 1}, 0, 0},
                           {{right, groups.height}, {1, high, 1}, wide * groups.width, 0},
                           {{groups.width, below}, {wide, 1, 1}, 0, high * groups.height},
                           {{right, below}, {1, 1, 1}, wide * groups.width, high * groups.height}};
  std::vector<PhotoPart> parts;
  for (const PhotoPart& part : all)
    if (part.local.width * part.local.height * part.groups.x * part.groups.y != 0) parts.push_back(part);
  return parts;
}

Job photoJob(PhotoRun run, Size over, PhotoGroups groups, bool checked) {
  Job job;
  job.subgroupSize = run.what.subgroupSize;
  for (const PhotoPart& part : photoParts(over, groups, checked)) {
    Dispatch d;
    d.module = run.module;
    d.groups = part.groups;
    d.spec = {{0, part.local.width}, {1, part.local.height}, {2, checked ? 1u : 0u}, {3, groups.texels}};
    d.push = pushWords({over.width, over.height, part.x, part.y, run.what.size.width, run.what.size.height});
    for (std::size_t i = 0; i < run.resources.size(); ++i) {
      Binding b;
      b.binding = static_cast<std::uint32_t>(i);
      b.resource = run.resources[i].name;
      d.bindings.push_back(std::move(b));
    }
    job.dispatches.push_back(std::move(d));
  }
  job.resources = std::move(run.resources);
  return job;
}

PhotoVectors photoVectors(const golden::Image& picture) {
  const std::uint32_t width = picture.extent.width, height = picture.extent.height, rows = (height + 1) / 2;
  PhotoVectors v{golden::makeImage({width * rows, 1}, 1, golden::Component::kU32),
                 golden::makeImage({width * rows, 1}, 1, golden::Component::kU32)};
  const std::size_t line = std::size_t{width} * 4;
  for (std::uint32_t i = 0; i < rows; ++i) {
    const std::uint32_t partner = std::min(2 * i + 1, height - 1);
    std::memcpy(v.a.bytes.data() + i * line, picture.bytes.data() + 2 * i * line, line);
    std::memcpy(v.b.bytes.data() + i * line, picture.bytes.data() + partner * line, line);
  }
  return v;
}

Resource inputBuffer(std::string name, const golden::Image& values) {
  Resource r;
  r.name = std::move(name);
  r.data = BufferData{values.bytes};
  return r;
}

Resource zeroedOutput(std::string name, std::size_t bytes) {
  Resource r;
  r.name = std::move(name);
  r.data = BufferData{std::vector<std::byte>(bytes)};
  r.output = true;
  return r;
}

}  // namespace lanewise
