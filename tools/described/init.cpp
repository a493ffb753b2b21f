#include "tools/described/init.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "model/base/visible.h"
#include "tools/described/described_kernel.h"
#include "tools/described/init_types.h"
#include "tools/run/resources.h"
#include "tools/run/type_text.h"
#include "tools/run/typed_image.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kMostElements = 16;  // of an array of descriptors
constexpr std::uint64_t kMostBlock = 256;    // bytes of a block that is written out, if no address is in it

// A string of TOML; JSON's have the same escapes.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool isPlainName(const std::string& text) {
  const auto part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !text.empty() && std::ranges::all_of(text, part);
}

std::string plainName(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return text;
}

bool isOne(const std::string& name, std::initializer_list<const char*> all) {
  return std::ranges::any_of(all, [&](const char* one) { return name == one; });
}
bool endsWith(const std::string& name, std::initializer_list<const char*> all) {
  return std::ranges::any_of(all, [&](const char* one) { return name.ends_with(one); });
}

std::string lowerCase(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool isWidth(const std::string& name) {
  return isOne(name, {"width", "w"}) || endsWith(name, {"size.x", "extent.x", "dim.x", "resolution.x", ".width"});
}
bool isHeight(const std::string& name) {
  return isOne(name, {"height", "h"}) || endsWith(name, {"size.y", "extent.y", "dim.y", "resolution.y", ".height"});
}

// Whether the push constants have a height.
bool isGivenHeight(const InterfaceEntry& entry) {
  if (entry.push == nullptr) return false;
  for (std::uint64_t byte = 0; byte < entry.pushBytes; ++byte)
    if (const std::optional<LeafAt> leaf = leafAt(*entry.push, byte); leaf && isHeight(lowerCase(leaf->path))) return true;
  return false;
}

bool isFlatImage(const InterfaceBinding& b) {
  return b.isImage() && b.type->dim != spv::Dim::Dim1D;
}

// As the paths of its scalars begin.
std::string memberName(const Type& block, std::size_t i) {
  return block.members[i].name.empty() ? fmt::format("member{}", i) : block.members[i].name;
}

struct FirstModule {
  OpenModule code;
  std::string file;                      // as the description names it
  std::string name{};                    // of its table
  std::vector<std::size_t> resources{};  // of each binding
};

// What the modules bind by one name.
struct FirstResource {
  std::string name;
  InterfaceBinding says;     // of the first; it can be written if any of them writes it
  bool isReadFirst = false;  // and written later
  bool isPointed = false;    // by a device address, so that nothing says whether it is written
};

class FirstWriter {
 public:
  FirstWriter(std::vector<FirstModule> modules, const SourceOptions& source, std::string name)
      : modules_(std::move(modules)), source_(source), name_(std::move(name)) {
    for (FirstModule& m : modules_) {
      const InterfaceEntry& entry = *m.code.entry;
      flat_ = flat_ || entry.localSize[1] > 1 || isGivenHeight(entry);
      for (const InterfaceBinding& b : entry.bindings) flat_ = flat_ || isFlatImage(b);
      nameModule(m);
      for (const InterfaceBinding& b : entry.bindings) nameResource(m, b);
    }
    for (const FirstModule& m : modules_)
      if (const InterfaceEntry& entry = *m.code.entry; entry.push != nullptr) namePointed(*entry.push, entry.pushBytes, m.name);
    for (const FirstResource& r : std::vector(resources_))
      if (hasValues(r.says, r.isPointed)) namePointed(*r.says.type, laidOutSize(*r.says.type), r.name);
  }

  std::string run() {
    std::string body, dispatches, files;
    for (const FirstModule& m : modules_) body += moduleText(m);
    body += resourceText();
    for (const FirstModule& m : modules_) {  // these find the parameters
      dispatches += (dispatches.empty() ? "" : "\n") + dispatchText(m);
      files += (files.empty() ? "" : ", ") + m.file;
    }
    std::string out = fmt::format(
        "# A first description of {}, from what it declares. Lines with ?? are guesses: look at them.\n"
        "# Every key: docs/descriptions.md. Then: lanewise list THIS.toml, lanewise validate THIS.toml\n"
        "lanewise = 1\n{}\n"
        "[size]\n{}\n",
        files, isWordOfCases(name_) ? "" : fmt::format("name = \"{}\"\n", plainName(name_)),
        flat_ ? "dimensions = 2  # ?? 1: lines, of the height 1\n" : "dimensions = 1  # ?? 2: the kernel works on width x height\n");
    const auto isCube = [](const FirstResource& r) { return r.says.isImage() && r.says.type->dim == spv::Dim::Cube; };
    if (std::ranges::any_of(resources_, isCube))
      out.replace(out.find("\n\n[size]"), 1, "\nwhere = \"width == height\"  # cubes have square sides\n");
    for (const std::string& p : parameters_) out += p + "\n";
    if (std::ranges::any_of(modules_, [](const FirstModule& m) { return hasSubgroupOperations(*m.code.interface); }))
      out +=
          "[subgroups]\n"
          "sizes = [8, 32, 64]  # ?? it has subgroup operations; `least` and `greatest` say at which sizes it is right\n\n";
    return out + body + dispatches +
           "\n# What says what the results have to be: one of these. Without it only invariants are checked: the same bytes in every run.\n"
           "# [reference]\n"
           "# program = [\"python3\", \"reference.py\"]  # yours, in any language; docs/descriptions.md has one to begin with\n"
           "# recorded = \"results.recorded\"         # what the model gives, once you approve it: lanewise golden approve THIS.toml\n"
           "# [[reference.dispatches]]                # a plain and slow kernel, in the words of [[dispatches]]\n";
  }

 private:
  std::string cells() const { return flat_ ? "width * height" : "width"; }

  void nameModule(FirstModule& m) {
    const std::string stem = fs::path(m.file).stem().string();
    const std::string own = isPlainName(stem) ? stem : "kernel";
    m.name = own;
    for (int i = 2; std::ranges::count(modules_, m.name, &FirstModule::name) > 1; ++i) m.name = fmt::format("{}_{}", own, i);
  }

  // By its own name, so that it needs no line of its own, where no other of the module has it. Modules that use the same name share it.
  void nameResource(FirstModule& m, const InterfaceBinding& b) {
    std::string name = isPlainName(b.name) ? b.name : fmt::format("binding_{}_{}", b.set, b.binding);
    const auto named = [&] { return std::ranges::find(resources_, name, &FirstResource::name); };
    const auto isTaken = [&](std::size_t at) { return std::ranges::find(m.resources, at) != m.resources.end(); };
    auto at = named();
    const auto number = [&] { return static_cast<std::size_t>(at - resources_.begin()); };
    if (at != resources_.end() && (isTaken(number()) || !canShare(at->says, b))) {
      name = fmt::format("{}_{}_{}", m.name, b.set, b.binding);
      at = named();
    }
    m.resources.push_back(number());
    if (at == resources_.end()) {
      resources_.push_back({name, b});
      return;
    }
    // The first format that a module declares.
    if (b.isImage() && formatInfo(formatBySpirv(at->says.type->imageFormat)) == nullptr) at->says.type = b.type;
    at->isReadFirst = at->isReadFirst || (!at->says.writable() && b.writable());
    if (b.writable()) {
      at->says.kind = b.kind;
      at->says.nonWritable = false;
    }
  }

  // A small block that is only read, of a size of its own: it gets a value for each of its scalars.
  static bool hasValues(const InterfaceBinding& b, bool isPointed) {
    return b.isBuffer() && !b.isTexelBuffer() && runtimeStride(*b.type) == 0 && !b.writable() && !isPointed &&
           (laidOutSize(*b.type) <= kMostBlock || holdsAddresses(*b.type));
  }

  // A resource for each device address, by the name of its member.
  void namePointed(const Type& block, std::uint64_t bytes, const std::string& owner) {
    for (std::uint64_t byte = 0; byte < bytes; ++byte) {
      const std::optional<LeafAt> leaf = leafAt(block, byte);
      if (!leaf || !leaf->pointer || leaf->offset != byte) continue;
      InterfaceBinding says;
      says.kind = DescriptorKind::kStorageBuffer;
      says.type = addressedAt(block, byte);
      if (says.type == nullptr) continue;
      std::string name = plainName(leaf->path);
      if (std::ranges::find(resources_, name, &FirstResource::name) != resources_.end()) name = owner + "_" + name;
      pointed_.emplace(std::pair(&block, byte), resources_.size());
      resources_.push_back({.name = name, .says = says, .isPointed = true});
    }
  }

  // A formula for the scalar of a block, or the address of the buffer that it leads to.
  std::string valueAt(const Type& block, const LeafAt& leaf) {
    const auto pointed = pointed_.find({&block, leaf.offset});
    return pointed == pointed_.end() ? valueFor(leaf.path, isFloat(leaf.scalar)) : "addr: " + resources_[pointed->second].name;
  }

  std::string moduleText(const FirstModule& m) const {
    std::string out = fmt::format("[modules.{}]\nfile = {}\n", m.name, quoted(m.file));
    if (m.code.interface->entries.size() > 1 || !source_.entry.empty()) out += fmt::format("entry = {}\n", quoted(m.code.entry->name));
    if (!source_.defines.empty()) out += "define = " + nlohmann::json(source_.defines).dump() + "\n";
    if (!source_.includeFolders.empty()) out += "include = " + nlohmann::json(source_.includeFolders).dump() + "\n";
    if (!source_.targetEnvironment.empty()) out += "target = " + quoted(source_.targetEnvironment) + "\n";
    return out + "\n";
  }

  // The case's input, for the first; for others the same with another seed.
  std::string nextInput() {
    const std::string text = inputs_ == 0 ? "input" : fmt::format("input+{}", inputs_);
    ++inputs_;
    return text;
  }

  std::string dataText(const InterfaceBinding& b, bool isReadFirst, bool isPointed = false) {
    std::string out;
    if (isPointed) return fmt::format("data = \"{}\"  # ??\noutput = true  # ?? where it is written\n", nextInput());
    if (!b.writable() || isReadFirst) out += fmt::format("data = \"{}\"\n", nextInput());
    if (b.writable()) {
      if (!b.nonReadable && !isReadFirst) out += "data = \"zeros\"  # ?? input, zeros, or leave it out where it is only written\n";
      out += "output = true\n";
    }
    return out;
  }

  // The declared format of a texel buffer's texels, or one of four components.
  static const FormatInfo& texelFormat(const InterfaceBinding& b) {
    if (const FormatInfo* declared = formatInfo(formatBySpirv(b.type->imageFormat))) return *declared;
    const Type* sampled = b.type->element;
    const bool isInteger = sampled != nullptr && !isFloat(sampled->scalar);
    return *formatInfo(formatByName(!isInteger ? "rgba32f" : sampled->isSigned ? "rgba32i" : "rgba32ui"));
  }

  std::string bufferText(const InterfaceBinding& b, bool isReadFirst, bool isPointed) {
    if (b.isTexelBuffer()) {
      const Texels texels = texelsOf(texelFormat(b));
      const std::string times = texels.channels == 1 ? "" : fmt::format("{} * ", texels.channels);
      return fmt::format("buffer = \"{}\"\nelements = \"{}{}\"  # ?? how many components\n{}", golden::componentName(texels.component),
                         times, cells(), dataText(b, isReadFirst));
    }
    const std::uint64_t fixed = laidOutSize(*b.type);
    const std::uint32_t stride = runtimeStride(*b.type);
    std::string out = fmt::format("# {}\n", blockText(*b.type));
    if (hasValues(b, isPointed)) return out + valuesText(*b.type, fixed);
    const std::optional<LeafAt> last = leafAt(*b.type, stride != 0 ? fixed : 0);
    const ValueType type = last && scalarBytes(last->scalar) != 0 ? typeOf(*last) : ValueType{};
    const std::uint64_t head = fixed / type.bytes, each = std::max<std::uint64_t>(1, stride / type.bytes);
    std::string elements = each == 1 ? cells() : fmt::format("{} * {}", each, cells());
    if (stride == 0)
      elements = std::to_string(head);
    else if (head != 0)
      elements = fmt::format("{} + {}", head, elements);
    return out + fmt::format("buffer = \"{}\"\nelements = \"{}\"{}\n{}", valueTypeName(type), elements,
                             stride != 0 ? "  # ?? how many" : "", blockData(b, isReadFirst, isPointed));
  }

  // Numbers are no addresses.
  std::string blockData(const InterfaceBinding& b, bool isReadFirst, bool isPointed) {
    const std::string out = dataText(b, isReadFirst, isPointed);
    if (!holdsAddresses(*b.type)) return out;
    return "data = \"zeros\"  # ?? it holds device addresses: values = [\"addr: NAME\"] in place of data\n" +
           out.substr(out.starts_with("data") ? out.find('\n') + 1 : 0);
  }

  // A block that is only read: a value for each of its scalars.
  std::string valuesText(const Type& block, std::uint64_t bytes) {
    std::string out = "buffer = \"u32\"\nvalues = [\n";
    std::uint64_t at = 0;
    for (std::uint64_t byte = 0; byte < bytes;) {
      const std::optional<LeafAt> leaf = leafAt(block, byte);
      const std::uint32_t size = leaf ? scalarBytes(leaf->scalar) : 0;
      if (size == 0 || leaf->offset + size <= at) {
        ++byte;
        continue;
      }
      for (; at + 4 <= leaf->offset; at += 4) out += "  \"u32: 0\",  # a gap\n";
      const std::string type = leaf->pointer ? "" : fmt::format("{}: ", valueTypeName(typeOf(*leaf)));
      out += fmt::format("  \"{}{}\",  # {}\n", type, valueAt(block, *leaf), leaf->path);
      at = leaf->offset + size;
      byte = at;
    }
    return out + "]\n";
  }

  std::string imageText(const InterfaceBinding& b, bool isReadFirst) {
    const FormatInfo* declared = formatInfo(formatBySpirv(b.type->imageFormat));
    const Type* sampled = b.type->element;
    const std::string guess = sampled && !isFloat(sampled->scalar) ? (sampled->isSigned ? "rgba8i" : "rgba8ui") : "rgba8";
    std::string out =
        fmt::format("image = \"{}\"{}\n", declared ? std::string(declared->glsl.empty() ? declared->name : declared->glsl) : guess,
                    declared ? "" : "  # ?? the module does not say");
    if (b.type->dim == spv::Dim::Dim1D) out += "extent = [\"width\"]\n";
    if (b.type->dim == spv::Dim::Dim3D) out += "extent = [\"width\", \"height\", 4]  # ??\n";
    const bool isCube = b.type->dim == spv::Dim::Cube, isArray = b.type->arrayed != 0;
    if (isCube || isArray) out += fmt::format("layers = {}{}\n", (isCube ? 6 : 1) * (isArray ? 2 : 1), isArray ? "  # ??" : "");
    if (b.type->multisampled != 0) out += "samples = 4  # ??\n";
    return out + dataText(b, isReadFirst);
  }

  std::string resourceText() {
    std::string out;
    for (const FirstResource& r : resources_) {
      if (r.says.kind == DescriptorKind::kSampler) continue;
      out += fmt::format("[resources.{}]\n", r.name) +
             (r.says.isImage() ? imageText(r.says, r.isReadFirst) : bufferText(r.says, r.isReadFirst, r.isPointed)) + "\n";
    }
    if (std::ranges::none_of(resources_, [](const FirstResource& r) { return r.isPointed || r.says.writable(); }))
      out +=
          "# ?? The module writes to no binding: say which resource is a result (output = true). A buffer behind a device address is a\n"
          "# resource without a binding, and \"addr: NAME\" its address, in `values` and in `push`.\n\n";
    return out;
  }

  // A formula for a number of the module, by its name; else a parameter of its own.
  std::string valueFor(const std::string& path, bool isFloat) {
    const std::string name = lowerCase(path);
    if (isWidth(name)) return isFloat ? "float(width)" : "width";
    if (isHeight(name)) return isFloat ? "float(height)" : "height";
    if (isOne(name, {"n", "count", "length", "size", "elements", "total", "num"}) || endsWith(name, {"count", "length"}))
      return isFloat ? fmt::format("float({})", cells()) : cells();
    if (isFloat) return "1.0";
    if (path.find('[') != std::string::npos) return "0";
    std::string own = plainName(path);
    if (own.empty() || std::isdigit(static_cast<unsigned char>(own[0])) != 0 || isOne(name, {"i", "input", "subgroup"})) own = "p_" + own;
    if (made_.insert(own).second)
      parameters_.push_back(fmt::format("[parameters.{}]\nrange = [0, 16]  # ?? the least and the greatest\ndefault = 1\n", own));
    return own;
  }

  std::string pushText(const FirstModule& m) {
    const InterfaceEntry& entry = *m.code.entry;
    if (entry.push == nullptr) return {};
    std::vector<std::string> members;
    for (std::size_t i = 0; i < entry.push->members.size(); ++i) {
      const std::string name = memberName(*entry.push, i);
      std::vector<std::string> values;
      for (std::uint64_t byte = entry.push->members[i].offset; byte < entry.pushBytes; ++byte) {
        const std::optional<LeafAt> leaf = leafAt(*entry.push, byte);
        if (!leaf || leaf->offset != byte) continue;
        if (leaf->path != name && !leaf->path.starts_with(name + ".") && !leaf->path.starts_with(name + "[")) break;
        values.push_back(quoted(valueAt(*entry.push, *leaf)));
      }
      if (values.empty()) continue;
      members.push_back(fmt::format("{} = {}", isPlainName(name) ? name : quoted(name),
                                    values.size() == 1 ? values[0] : fmt::format("[{}]", fmt::join(values, ", "))));
    }
    if (members.empty()) return {};
    return fmt::format("# {}\npush = {{ {} }}  # ??\n", blockText(*entry.push), fmt::join(members, ", "));
  }

  // A line of workgroups for buffers, a rectangle of them for images.
  std::string groupsText(const InterfaceEntry& entry) const {
    const std::uint32_t* local = entry.localSize;
    const bool rectangle = local[1] > 1 || std::ranges::any_of(entry.bindings, isFlatImage);
    if (!flat_ || !rectangle) return fmt::format("groups = \"ceil_div({}, {})\"  # ??\n", cells(), local[0]);
    const auto isDeep = [](const InterfaceBinding& b) { return b.isImage() && (b.type->arrayed != 0 || b.type->dim == spv::Dim::Dim3D); };
    return fmt::format("groups = [\"ceil_div(width, {})\", \"ceil_div(height, {})\"]  # ??{}\n", local[0], local[1],
                       std::ranges::any_of(entry.bindings, isDeep) ? " a third number, where a workgroup has one layer or slice" : "");
  }

  std::string dispatchText(const FirstModule& m) {
    const InterfaceEntry& entry = *m.code.entry;
    std::string out = "[[dispatches]]\n";
    if (modules_.size() > 1) out += fmt::format("module = {}\n", quoted(m.name));
    out += groupsText(entry) + pushText(m);
    for (const InterfaceSpec& s : m.code.interface->spec)
      out += fmt::format("# spec = {{ {} = \"{}\" }}{}\n", s.name.empty() ? fmt::format("\"{}\"", s.id) : s.name,
                         valueText(typeOf(s.scalar, s.isSigned), s.value), s.name.empty() ? "" : fmt::format("  # its id is {}", s.id));
    std::vector<std::string> bound;
    bool isShared = false;
    for (std::size_t i = 0; i < m.resources.size(); ++i) {
      const InterfaceBinding& b = entry.bindings[i];
      const std::string given = bindText(b, resources_[m.resources[i]].name);
      if (given.empty()) continue;
      const std::uint32_t elements = std::clamp(b.count, 1u, kMostElements);
      isShared = isShared || b.array;
      for (std::uint32_t e = 0; e < elements; ++e)
        bound.push_back(fmt::format("\"{}:{}{}\" = {}", b.set, b.binding, e == 0 ? "" : fmt::format(":{}", e), given));
    }
    if (!bound.empty())
      out += fmt::format("bind = {{ {} }}{}\n", fmt::join(bound, ", "), isShared ? "  # ?? elements of arrays share a resource" : "");
    return out;
  }

  // What a binding has; empty where that is the resource of its own name.
  static std::string bindText(const InterfaceBinding& b, const std::string& name) {
    if (b.kind == DescriptorKind::kSampler) return "{ sampler = \"linear,clamp-to-edge\" }";
    if (b.kind == DescriptorKind::kCombinedImageSampler)
      return fmt::format("{{ resource = \"{}\", sampler = \"linear,clamp-to-edge\" }}", name);
    if (b.isTexelBuffer()) return fmt::format("{{ resource = \"{}\", format = \"{}\" }}", name, texelFormat(b).glsl);
    return name != b.name || b.array ? quoted(name) : "";
  }

  std::vector<FirstModule> modules_;
  const SourceOptions& source_;
  std::string name_;   // that of the description's file
  bool flat_ = false;  // width and height
  std::size_t inputs_ = 0;
  std::vector<FirstResource> resources_;
  std::map<std::pair<const Type*, std::uint64_t>, std::size_t> pointed_;  // what each device address of a block leads to, by its byte
  std::vector<std::string> parameters_;
  std::set<std::string> made_;
};

}  // namespace

Expected<std::string> firstDescription(const std::vector<std::string>& modules, const SourceOptions& source,
                                       const std::string& description) {
  const fs::path folder = fs::path(description).parent_path();
  std::vector<FirstModule> all;
  for (const std::string& module : modules) {
    std::error_code failed;
    if (!fs::exists(module, failed)) return Error{Outcome::kIoError, fmt::format("there is no file '{}'", module), "", ""};
    DescribedModule m;
    m.name = "kernel";
    m.source = source;
    m.entry = source.entry;
    m.file.text = module;
    const Expected<OpenModule> code = openModule(m, "");  // it is named from here, not from the description
    if (!code) return Error{code.error().outcome, code.error().what, module, code.error().hint};
    const fs::path named = fs::relative(module, folder.empty() ? "." : folder, failed);
    const std::string file = failed || named.empty() ? module : named.string();
    if (!isUtf8(file))
      return Error{Outcome::kBadInput, "a description cannot name this file: its name is no UTF-8, as all of TOML is", module, "rename it"};
    all.push_back({*code, file});
  }
  return FirstWriter(std::move(all), source, fs::path(description.empty() ? modules[0] : description).stem().string()).run();
}

}  // namespace lanewise
