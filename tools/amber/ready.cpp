#include "tools/amber/ready.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tools/amber/modules.h"

namespace lanewise::amber {
namespace {

struct KindRow {
  BoundAs as;
  DescriptorKind kind;
  const char* name;
};
constexpr KindRow kKinds[] = {{BoundAs::kUniform, DescriptorKind::kUniformBuffer, "uniform"},
                              {BoundAs::kStorage, DescriptorKind::kStorageBuffer, "storage"},
                              {BoundAs::kUniformTexelBuffer, DescriptorKind::kUniformTexelBuffer, "uniform_texel_buffer"},
                              {BoundAs::kStorageTexelBuffer, DescriptorKind::kStorageTexelBuffer, "storage_texel_buffer"},
                              {BoundAs::kStorageImage, DescriptorKind::kStorageImage, "storage_image"},
                              {BoundAs::kSampledImage, DescriptorKind::kSampledImage, "sampled_image"},
                              {BoundAs::kCombinedImageSampler, DescriptorKind::kCombinedImageSampler, "combined_image_sampler"},
                              {BoundAs::kSampler, DescriptorKind::kSampler, "a sampler"}};

const KindRow& rowOf(BoundAs as) {
  return *std::ranges::find(kKinds, as, &KindRow::as);
}

bool isImageUse(BoundAs as) {
  return as == BoundAs::kStorageImage || as == BoundAs::kSampledImage || as == BoundAs::kCombinedImageSampler;
}

class ReadyMaker {
 public:
  ReadyMaker(ReadyScript& ready, const SourceOptions& options) : ready_(ready), modules_(ready.script, options) {}

  Status run() {
    Script& s = ready_.script;
    ready_.outputs.assign(s.buffers.size(), false);
    used_.assign(s.buffers.size(), Used::kNowhere);
    for (const Pipeline& p : s.pipelines)
      for (const Bound& b : p.bound)
        if (Status bad = settle(p, b)) return bad;
    for (const Pipeline& p : s.pipelines)
      if (Status bad = pipeline(p)) return bad;
    for (const Command& c : s.commands) {
      if (const auto* copy = std::get_if<CopyCommand>(&c)) ready_.outputs[copy->to] = true;
      if (const auto* run = std::get_if<RunCommand>(&c))
        for (const std::size_t b : ready_.pipelines[run->pipeline].writes) ready_.outputs[b] = true;
    }
    return {};
  }

 private:
  enum class Used : std::uint8_t { kNowhere, kAsBuffer, kAsImage };

  Error bad(Place at, std::string what, std::string hint = "") const {
    return {Outcome::kBadInput, std::move(what), ready_.script.where(at), std::move(hint)};
  }

  // What a binding says of its buffers: whether they are images, and how large those are that are sized by a framebuffer.
  Status settle(const Pipeline& p, const Bound& bound) {
    const Used now = isImageUse(bound.as) ? Used::kAsImage : Used::kAsBuffer;
    for (const std::size_t i : bound.buffers) {
      Buffer& b = ready_.script.buffers[i];
      if (used_[i] != Used::kNowhere && used_[i] != now)
        return bad(bound.at, fmt::format("'{}' is bound as a buffer and as an image", b.name));
      used_[i] = now;
      if (b.byFramebuffer && b.bytes.empty()) {
        b.extent = p.framebuffer;
        Resource r = undefinedImage(b.name, b.layout.format, b.extent, b.levels);
        std::get<ImageData>(r.data).samples = b.samples;
        const std::uint64_t size = r.bytes().size() * b.samples;
        if (size > kMostBytes) return bad(b.at, "the buffer is too large");
        b.bytes.assign(size, std::byte{0});
      }
      if (now == Used::kAsBuffer) {
        b.isImage = false;
        continue;
      }
      if (b.layout.format == Format::UNDEFINED) return bad(bound.at, fmt::format("'{}' has no texels", b.name));
      if (!b.isImage) b.extent = {static_cast<std::uint32_t>(b.elements()), 1, 1};
      b.isImage = true;
      if (bound.baseLevel >= b.levels) return bad(bound.at, fmt::format("'{}' has {} levels", b.name, b.levels));
    }
    return {};
  }

  Status pipeline(const Pipeline& p) {
    const Expected<std::shared_ptr<const ShaderModule>> module = modules_.of(p);
    if (!module) return module.error();
    Expected<Interface> plain = readInterface(**module);
    if (!plain) return plain.error();
    ReadyPipeline out;
    out.dispatch.module = *module;
    out.dispatch.entryPoint = p.entry;
    // Vulkan allows constants that the module does not have.
    std::ranges::copy_if(p.spec, std::back_inserter(out.dispatch.spec), [&](const SpecConstant& c) {
      return std::ranges::find(plain->spec, c.id, &InterfaceSpec::id) != plain->spec.end();
    });
    Expected<Interface> interface = readInterface(**module, out.dispatch.spec);
    if (!interface) return interface.error();
    out.interface = std::make_shared<const Interface>(std::move(*interface));
    out.entry = out.interface->entry(p.entry);
    if (out.entry == nullptr) {
      std::string names;
      for (const InterfaceEntry& e : out.interface->entries) names += (names.empty() ? "" : ", ") + e.name;
      return bad(p.attachedAt, fmt::format("the shader has no compute entry point '{}'", p.entry),
                 names.empty() ? "it has none" : "it has " + names);
    }
    for (const InterfaceBinding& b : out.entry->bindings)
      if (Status wrong = descriptors(p, b, out)) return wrong;
    if (out.entry->pushBytes != 0 && !p.push)
      return bad(p.attachedAt, fmt::format("the shader reads {} bytes of push constants", out.entry->pushBytes),
                 "BIND BUFFER name AS push_constant");
    ready_.pipelines.push_back(std::move(out));
    return {};
  }

  // What is bound to a binding that the shader uses.
  Status descriptors(const Pipeline& p, const InterfaceBinding& declared, ReadyPipeline& out) {
    const auto bound =
        std::ranges::find_if(p.bound, [&](const Bound& b) { return b.set == declared.set && b.binding == declared.binding; });
    if (bound == p.bound.end())
      return bad(p.attachedAt,
                 fmt::format("pipeline '{}' binds nothing to {} {}", p.name, descriptorKindName(declared.kind), declared.text()), "BIND");
    const KindRow& row = rowOf(bound->as);
    if (row.kind != declared.kind)
      return bad(bound->at, fmt::format("{} is bound as {}, and the shader declares a {}", declared.text(), row.name,
                                        descriptorKindName(declared.kind)));
    const std::size_t count = std::max(bound->buffers.size(), bound->samplers.size());
    if (declared.count != 0 && count > declared.count)
      return bad(bound->at, fmt::format("{} has {} descriptors, and {} are bound", declared.text(), declared.count, count));
    for (std::size_t i = 0; i < count; ++i) {
      Binding d{.set = bound->set, .binding = bound->binding, .element = static_cast<std::uint32_t>(i), .resource = ""};
      if (!bound->samplers.empty()) d.sampler = ready_.script.samplers[bound->samplers[std::min(i, bound->samplers.size() - 1)]].state;
      if (!bound->buffers.empty())
        if (Status wrong = part(*bound, i, declared, d, out)) return wrong;
      out.dispatch.bindings.push_back(std::move(d));
    }
    return {};
  }

  Status part(const Bound& bound, std::size_t element, const InterfaceBinding& declared, Binding& d, ReadyPipeline& out) {
    const std::size_t index = bound.buffers[element];
    const Buffer& b = ready_.script.buffers[index];
    d.resource = b.name;
    if (b.isImage) {
      d.baseLevel = bound.baseLevel;
    } else {
      d.offset = bound.offsets[element];
      d.size = bound.ranges[element];
      if (d.offset >= b.bytes.size() || d.size > b.bytes.size() - d.offset)
        return bad(bound.at, fmt::format("'{}' has {} bytes; its descriptor is beyond them", b.name, b.bytes.size()));
      if (declared.isTexelBuffer()) {
        d.viewFormat = b.layout.format;
        if (d.viewFormat == Format::UNDEFINED) return bad(bound.at, fmt::format("'{}' has no texels", b.name));
      }
    }
    const auto add = [](std::vector<std::size_t>& to, std::size_t i) {
      if (std::ranges::find(to, i) == to.end()) to.push_back(i);
    };
    add(out.uses, index);
    if (declared.writable()) add(out.writes, index);
    return {};
  }

  ReadyScript& ready_;
  Modules modules_;
  std::vector<Used> used_;
};

}  // namespace

Resource resourceOf(const Buffer& b, std::vector<std::byte> bytes) {
  Resource r{.name = b.name, .data = {}};
  if (b.isImage)
    r.data = ImageData{.format = b.layout.format,
                       .extent = b.extent,
                       .levels = b.levels,
                       .dimensions = b.dimensions,
                       .bytes = std::move(bytes),
                       .samples = b.samples};
  else
    r.data = BufferData{.bytes = std::move(bytes)};
  return r;
}

Expected<std::shared_ptr<const ReadyScript>> makeReady(Script script, const SourceOptions& options) {
  auto ready = std::make_shared<ReadyScript>();
  ready->script = std::move(script);
  if (Status bad = ReadyMaker(*ready, options).run()) return *bad;
  return std::shared_ptr<const ReadyScript>(std::move(ready));
}

Expected<RunJob> reportOf(const ReadyScript& ready, std::span<const std::string> outs) {
  Job job;
  for (std::size_t i = 0; i < ready.script.buffers.size(); ++i) {
    if (!ready.outputs[i]) continue;
    job.resources.push_back(resourceOf(ready.script.buffers[i], ready.script.buffers[i].bytes));
    job.resources.back().output = true;
  }
  for (const Command& c : ready.script.commands)
    if (const auto* run = std::get_if<RunCommand>(&c)) {
      job.dispatches.push_back(ready.pipelines[run->pipeline].dispatch);
      job.dispatches.back().groups = run->groups;
    }
  return givenRunJob(std::move(job), outs);
}

}  // namespace lanewise::amber
