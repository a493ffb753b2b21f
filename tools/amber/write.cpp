#include "tools/amber/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "model/spirv/interface.h"
#include "tools/amber/layout.h"

namespace lanewise::amber {
namespace {

Error none(const std::string& what, const std::string& where) {
  return {Outcome::kUnsupported, "AmberScript has no statement for " + what, where, ""};
}

const char* useOf(DescriptorKind kind) {
  switch (kind) {
    case DescriptorKind::kUniformBuffer:
      return "uniform";
    case DescriptorKind::kStorageBuffer:
      return "storage";
    case DescriptorKind::kUniformTexelBuffer:
      return "uniform_texel_buffer";
    case DescriptorKind::kStorageTexelBuffer:
      return "storage_texel_buffer";
    case DescriptorKind::kStorageImage:
      return "storage_image";
    case DescriptorKind::kSampledImage:
      return "sampled_image";
    case DescriptorKind::kCombinedImageSampler:
      return "combined_image_sampler";
    default:
      return nullptr;
  }
}

class Writer {
 public:
  Writer(const Job& job, const std::vector<WrittenOutput>& outputs) : job_(job), outputs_(outputs) {}

  Expected<std::string> run(const std::string& title) {
    if (!job_.blits.empty()) return none("blits", title);
    out_ = "#!amber\n# " + title + "\n";
    if (job_.subgroupSize != 0) out_ += "DEVICE_FEATURE SubgroupSizeControl.subgroupSizeControl\n";
    for (const Resource& r : job_.resources) {
      names_[r.name] = plain(r.name);
      if (Status bad = declare(names_[r.name], r, r.bytes())) return *bad;
    }
    for (std::size_t i = 0; i < job_.dispatches.size(); ++i)
      if (Status bad = dispatch(job_.dispatches[i], i)) return *bad;
    for (std::size_t i = 0; i < job_.dispatches.size(); ++i) {
      const Extent3 g = job_.dispatches[i].groups;
      out_ += fmt::format("RUN pipeline{} {} {} {}\n", i, g.x, g.y, g.z);
    }
    std::size_t output = 0;
    for (const Resource& r : job_.resources)
      if (r.output && output < outputs_.size())
        if (Status bad = expect(r, outputs_[output++])) return *bad;
    return std::move(out_);
  }

 private:
  // A name that no other resource has.
  std::string plain(const std::string& name) {
    std::string out = "r_";
    for (const char c : name) out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    while (std::ranges::any_of(names_, [&](const auto& n) { return n.second == out; })) out += "_";
    return out;
  }

  static Layout layoutFor(const Resource& r) {
    if (const auto* image = std::get_if<ImageData>(&r.data)) return layoutOfFormat(image->format);
    return *layoutOf(*dataTypeNamed(r.bytes().size() % 4 == 0 ? "uint32" : "uint8", {}), false);
  }

  Expected<std::vector<std::string>> numbers(const Resource& r, const std::vector<std::byte>& bytes) const {
    const Layout layout = layoutFor(r);
    std::vector<std::string> out;
    for (std::uint64_t at = 0; at + layout.stride <= bytes.size(); at += layout.stride)
      for (const Field& f : layout.fields) {
        out.push_back(numberText(f, readField(f, bytes.data() + at)));
        if (out.back().starts_with("0x")) return none("this NaN", r.name);
      }
    return out;
  }

  Status declare(const std::string& name, const Resource& r, const std::vector<std::byte>& bytes) {
    if (const auto* buffer = std::get_if<BufferData>(&r.data)) {
      if (!buffer->addresses.empty()) return none("device addresses", r.name);
      out_ += fmt::format("BUFFER {} DATA_TYPE {} SIZE {}", name, bytes.size() % 4 == 0 ? "uint32" : "uint8",
                          bytes.size() % 4 == 0 ? bytes.size() / 4 : bytes.size());
    } else {
      const auto& image = std::get<ImageData>(r.data);
      if (image.layers != 1) return none("layers", r.name);
      out_ += fmt::format("IMAGE {} FORMAT {}", name, formatInfo(image.format)->name);
      if (image.levels != 1) out_ += fmt::format(" MIP_LEVELS {}", image.levels);
      if (image.samples != 1) out_ += fmt::format(" SAMPLES {}", image.samples);
      out_ += fmt::format(" DIM_{}D WIDTH {}", image.dimensions, image.extent.x);
      if (image.dimensions > 1) out_ += fmt::format(" HEIGHT {}", image.extent.y);
      if (image.dimensions > 2) out_ += fmt::format(" DEPTH {}", image.extent.z);
    }
    return content(r, bytes);
  }

  Status content(const Resource& r, const std::vector<std::byte>& bytes) {
    const Expected<std::vector<std::string>> all = numbers(r, bytes);
    if (!all) return all.error();
    if (std::ranges::all_of(*all, [&](const std::string& n) { return n == all->front(); })) {
      out_ += fmt::format(" FILL {}\n", all->front());
      return {};
    }
    out_ += " DATA\n";
    constexpr std::size_t kALine = 16;
    for (std::size_t i = 0; i < all->size(); ++i) out_ += (*all)[i] + ((i + 1) % kALine == 0 || i + 1 == all->size() ? "\n" : " ");
    out_ += "END\n";
    return {};
  }

  const std::string& shader(const ShaderModule& module) {
    std::string& name = shaders_[&module];
    if (!name.empty()) return name;
    name = fmt::format("shader{}", shaders_.size() - 1);
    out_ += fmt::format("# {}\nSHADER compute {} SPIRV-HEX\n", module.name, name);
    constexpr std::size_t kALine = 10;
    for (std::size_t i = 0; i < module.words.size(); ++i)
      out_ += fmt::format("0x{:08x}{}", module.words[i], (i + 1) % kALine == 0 || i + 1 == module.words.size() ? "\n" : " ");
    out_ += "END\n";
    return name;
  }

  Status dispatch(const Dispatch& d, std::size_t number) {
    const Expected<Interface> interface = readInterface(*d.module, d.spec);
    if (!interface) return interface.error();
    const InterfaceEntry* entry = interface->entry(d.entryPoint);
    if (entry == nullptr) return Error{Outcome::kBadInput, fmt::format("no entry point '{}'", d.entryPoint), d.module->name, ""};
    if (!d.pushAddresses.empty()) return none("device addresses", d.module->name);
    const std::string name = shader(*d.module);
    std::string body = fmt::format("PIPELINE compute pipeline{}\n  ATTACH {} ENTRY_POINT {}", number, name, d.entryPoint);
    for (const SpecConstant& s : d.spec) {
      const auto declared = std::ranges::find(interface->spec, s.id, &InterfaceSpec::id);
      const bool wide = declared != interface->spec.end() && scalarBytes(declared->scalar) == 8;
      body += fmt::format(" SPECIALIZE {} AS {} {}", s.id, wide ? "uint64" : "uint32", wide ? s.value : s.value & 0xffffffff);
    }
    body += "\n";
    if (job_.subgroupSize != 0) body += fmt::format("  SUBGROUP {}\n    REQUIRED_SIZE {}\n  END\n", name, job_.subgroupSize);
    if (!d.push.empty()) {
      Resource push{.name = "push", .data = BufferData{.bytes = d.push}};
      if (Status bad = declare(fmt::format("push{}", number), push, d.push)) return bad;
      body += fmt::format("  BIND BUFFER push{} AS push_constant\n", number);
    }
    for (const InterfaceBinding& declared : entry->bindings) {
      const Expected<std::string> line = bind(d, declared);
      if (!line) return line.error();
      body += *line;
    }
    out_ += body + "END\n";
    return {};
  }

  Expected<std::string> bind(const Dispatch& d, const InterfaceBinding& declared) {
    std::vector<const Binding*> all;
    for (const Binding& b : d.bindings)
      if (b.set == declared.set && b.binding == declared.binding) all.push_back(&b);
    std::ranges::sort(all, {}, [](const Binding* b) { return b->element; });
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i]->element != i) return none("some elements of an array of descriptors", declared.text());
    if (all.empty()) return std::string();
    const std::string place = fmt::format(" DESCRIPTOR_SET {} BINDING {}", declared.set, declared.binding);
    const char* array = all.size() > 1 ? "_ARRAY" : "";
    std::string names, samplers, offsets, ranges;
    bool whole = true;
    for (const Binding* b : all) {
      if (declared.hasSampler()) {
        const Expected<std::string> s = sampler(b->sampler);
        if (!s) return s.error();
        samplers += " " + *s;
      }
      if (declared.kind == DescriptorKind::kSampler) continue;
      names += " " + names_[b->resource];
      offsets += fmt::format(" {}", b->offset);
      ranges += b->size == 0 ? " -1" : fmt::format(" {}", b->size);
      whole = whole && b->offset == 0 && b->size == 0;
      if (Status bad = checkView(*b, declared)) return *bad;
    }
    if (declared.kind == DescriptorKind::kSampler) return fmt::format("  BIND SAMPLER{}{}{}\n", array, samplers, place);
    const char* use = useOf(declared.kind);
    if (use == nullptr) return none(descriptorKindName(declared.kind), declared.text());
    std::string line = fmt::format("  BIND BUFFER{}{} AS {}", array, names, use);
    if (declared.kind == DescriptorKind::kCombinedImageSampler) line += " SAMPLER" + samplers;
    line += place;
    if (!whole) line += " DESCRIPTOR_OFFSET" + offsets + " DESCRIPTOR_RANGE" + ranges;
    if (all[0]->baseLevel != 0) line += fmt::format(" BASE_MIP_LEVEL {}", all[0]->baseLevel);
    return line + "\n";
  }

  Status checkView(const Binding& b, const InterfaceBinding& declared) const {
    const Resource& r = job_.resources[resourceNamed(job_.resources, b.resource)];
    const auto* image = std::get_if<ImageData>(&r.data);
    if (declared.isTexelBuffer()) return none("texel buffers of a job", declared.text());
    if (image == nullptr) return {};
    if (b.viewFormat != Format::UNDEFINED && b.viewFormat != image->format) return none("a view in another format", declared.text());
    const bool storage = declared.kind == DescriptorKind::kStorageImage;  // it sees the base level alone
    if (!storage && b.levelCount != 0 && b.baseLevel + b.levelCount != image->levels) return none("a view of some levels", declared.text());
    return {};
  }

  Expected<std::string> sampler(const SamplerState& s) {
    constexpr const char* kModes[] = {"repeat", "mirrored_repeat", "clamp_to_edge", "clamp_to_border", "mirrored_clamp_to_edge"};
    constexpr const char* kCompares[] = {"never", "less", "equal", "less_or_equal", "greater", "not_equal", "greater_or_equal", "always"};
    const std::string key = samplerText(s);
    std::string& name = samplers_[key];
    if (!name.empty()) return name;
    const std::uint32_t one = s.integerBorder ? 1u : std::bit_cast<std::uint32_t>(1.0f);
    const char* border = s.border == std::array<std::uint32_t, 4>{0, 0, 0, 0}           ? "transparent_black"
                         : s.border == std::array<std::uint32_t, 4>{0, 0, 0, one}       ? "opaque_black"
                         : s.border == std::array<std::uint32_t, 4>{one, one, one, one} ? "opaque_white"
                                                                                        : nullptr;
    if (border == nullptr || s.lodBias != 0 || s.reduction != Reduction::kWeightedAverage || s.mip != Filter::kNearest)
      return none("this sampler", key);
    name = fmt::format("sampler{}", samplers_.size() - 1);
    out_ += fmt::format("SAMPLER {} MAG_FILTER {} MIN_FILTER {} ADDRESS_MODE_U {} ADDRESS_MODE_V {} ADDRESS_MODE_W {} BORDER_COLOR {}_{}",
                        name, s.mag == Filter::kLinear ? "linear" : "nearest", s.min == Filter::kLinear ? "linear" : "nearest",
                        kModes[static_cast<std::size_t>(s.u)], kModes[static_cast<std::size_t>(s.v)], kModes[static_cast<std::size_t>(s.w)],
                        s.integerBorder ? "int" : "float", border);
    out_ += s.unnormalized ? " UNNORMALIZED_COORDS" : fmt::format(" MIN_LOD {} MAX_LOD {}", s.minLod, s.maxLod);
    if (s.compare) out_ += fmt::format(" COMPARE on COMPARE_OP {}", kCompares[static_cast<std::size_t>(s.compareOp)]);
    out_ += "\n";
    return name;
  }

  Status expect(const Resource& r, const WrittenOutput& w) {
    const std::string& name = names_[r.name];
    if (w.least.size() != r.bytes().size()) return Error{Outcome::kInternal, "what is expected has another size", r.name, ""};
    if (w.greatest.empty() && !w.zerosEqual) {
      if (Status bad = declare("expected_" + name, r, w.least)) return bad;
      out_ += fmt::format("EXPECT {} EQ_BUFFER expected_{}\n", name, name);
      return {};
    }
    const Expected<std::vector<std::string>> least = numbers(r, w.least), greatest = numbers(r, w.greatest);
    if (!least) return least.error();
    if (!greatest) return greatest.error();
    const bool exact = w.greatest.empty();
    out_ += fmt::format("EXPECT {} IDX 0 {} {}\n", name, exact ? "EQ" : "GE", fmt::join(*least, " "));
    if (!exact) out_ += fmt::format("EXPECT {} IDX 0 LE {}\n", name, fmt::join(*greatest, " "));
    return {};
  }

  const Job& job_;
  const std::vector<WrittenOutput>& outputs_;
  std::string out_;
  std::map<std::string, std::string> names_, samplers_;
  std::map<const ShaderModule*, std::string> shaders_;
};

}  // namespace

Expected<std::string> writeScript(const Job& job, const std::vector<WrittenOutput>& outputs, const std::string& title) {
  return Writer(job, outputs).run(title);
}

}  // namespace lanewise::amber
