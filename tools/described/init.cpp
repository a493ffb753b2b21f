#include "tools/described/init.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "tools/described/described_kernel.h"
#include "tools/run/resources.h"
#include "tools/run/type_text.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

// A string of TOML; JSON's have the same escapes.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool isPlainName(const std::string& text) {
  const auto part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !text.empty() && std::ranges::all_of(text, part);
}

std::string lowerCase(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

class FirstWriter {
 public:
  FirstWriter(const OpenModule& code, std::string file, const SourceOptions& source)
      : code_(code), file_(std::move(file)), source_(source) {
    for (const InterfaceBinding& b : entry().bindings) flat_ = flat_ || b.isImage();
    flat_ = flat_ || entry().localSize[1] > 1;
    nameResources();
  }

  std::string run() {
    const std::string resources = resourceText(), dispatch = dispatchText();  // these find the parameters
    std::string out = fmt::format(
        "# A first description of {}, from what it declares. Lines with ?? are guesses: look at them.\n"
        "# Every key: docs/descriptions.md. Then: lanewise list THIS.toml, lanewise validate THIS.toml\n"
        "lanewise = 1\n\n"
        "[size]\n{}\n",
        file_, flat_ ? "dimensions = 2  # ?? 1: lines, of the height 1\n" : "dimensions = 1  # ?? 2: the kernel works on width x height\n");
    for (const std::string& p : parameters_) out += p + "\n";
    out += moduleText() + resources + dispatch;
    return out +
           "\n# What the results have to be. Without it only invariants are checked: the same bytes in every run.\n"
           "# [reference]\n"
           "# program = [\"python3\", \"reference.py\"]\n";
  }

 private:
  const InterfaceEntry& entry() const { return *code_.entry; }
  std::string cells() const { return flat_ ? "width * height" : "width"; }

  // A binding's own name, so that it needs no line of its own, where it has one that no other has.
  void nameResources() {
    std::set<std::string> taken;
    for (const InterfaceBinding& b : entry().bindings) {
      const bool own = isPlainName(b.name) && taken.insert(b.name).second;
      names_.push_back(own ? b.name : fmt::format("binding_{}_{}", b.set, b.binding));
      own_.push_back(own);
    }
  }

  std::string moduleText() const {
    const std::string name = isPlainName(fs::path(file_).stem().string()) ? fs::path(file_).stem().string() : "kernel";
    std::string out = fmt::format("[modules.{}]\nfile = {}\n", name, quoted(file_));
    if (code_.interface->entries.size() > 1) out += fmt::format("entry = {}\n", quoted(entry().name));
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

  std::string dataText(const InterfaceBinding& b) {
    std::string out;
    if (!b.writable()) {
      out += fmt::format("data = \"{}\"\n", nextInput());
    } else {
      if (!b.nonReadable) out += "data = \"zeros\"  # ?? input, zeros, or leave it out where it is only written\n";
      out += "output = true\n";
    }
    return out;
  }

  std::string bufferText(const InterfaceBinding& b) {
    if (b.isTexelBuffer())
      return fmt::format("buffer = \"u32\"  # ?? the type of a component\nelements = \"4 * {}\"\n{}", cells(), dataText(b));
    const std::uint64_t fixed = laidOutSize(*b.type);
    const std::uint32_t stride = runtimeStride(*b.type);
    std::string out = fmt::format("# {}\n", blockText(*b.type));
    if (stride == 0 && !b.writable()) return out + valuesText(*b.type, fixed);
    const std::optional<LeafAt> last = leafAt(*b.type, stride != 0 ? fixed : 0);
    const ValueType type = last && scalarBytes(last->scalar) != 0 ? typeOf(*last) : ValueType{};
    const std::uint64_t head = fixed / type.bytes, each = std::max<std::uint64_t>(1, stride / type.bytes);
    std::string elements = each == 1 ? cells() : fmt::format("{} * {}", each, cells());
    if (stride == 0)
      elements = std::to_string(head);
    else if (head != 0)
      elements = fmt::format("{} + {}", head, elements);
    return out + fmt::format("buffer = \"{}\"\nelements = \"{}\"{}\n{}", valueTypeName(type), elements,
                             stride != 0 ? "  # ?? how many" : "", dataText(b));
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
      out += fmt::format("  \"{}: {}\",  # {}\n", valueTypeName(typeOf(*leaf)), valueFor(leaf->path, isFloat(leaf->scalar)), leaf->path);
      at = leaf->offset + size;
      byte = at;
    }
    return out + "]\n";
  }

  std::string imageText(const InterfaceBinding& b) {
    const FormatInfo* declared = formatInfo(formatBySpirv(b.type->imageFormat));
    const Type* sampled = b.type->element;
    const std::string guess = sampled && !isFloat(sampled->scalar) ? (sampled->isSigned ? "rgba8i" : "rgba8ui") : "rgba8";
    std::string out =
        fmt::format("image = \"{}\"{}\n", declared ? std::string(declared->glsl.empty() ? declared->name : declared->glsl) : guess,
                    declared ? "" : "  # ?? the module does not say");
    if (b.type->dim == spv::Dim::Dim1D) out += "extent = [\"width\"]\n";
    if (b.type->dim == spv::Dim::Dim3D) out += "extent = [\"width\", \"height\", 4]  # ??\n";
    if (b.type->dim == spv::Dim::Cube) out += "layers = 6\n";
    if (b.type->arrayed != 0) out += "layers = 2  # ??\n";
    if (b.type->multisampled != 0) out += "samples = 4  # ??\n";
    return out + dataText(b);
  }

  std::string resourceText() {
    std::string out;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const InterfaceBinding& b = entry().bindings[i];
      if (b.kind == DescriptorKind::kSampler) continue;
      out += fmt::format("[resources.{}]\n", names_[i]) + (b.isImage() ? imageText(b) : bufferText(b)) + "\n";
    }
    return out;
  }

  // A formula for a number of the module, by its name; else a parameter of its own.
  std::string valueFor(const std::string& path, bool isFloat) {
    const std::string name = lowerCase(path);
    const auto is = [&](std::initializer_list<const char*> all) {
      return std::ranges::any_of(all, [&](const char* one) { return name == one; });
    };
    const auto ends = [&](std::initializer_list<const char*> all) {
      return std::ranges::any_of(all, [&](const char* one) { return name.ends_with(one); });
    };
    if (is({"width", "w"}) || ends({"size.x", "extent.x", "dim.x", "resolution.x", ".width"})) return isFloat ? "float(width)" : "width";
    if (is({"height", "h"}) || ends({"size.y", "extent.y", "dim.y", "resolution.y", ".height"}))
      return isFloat ? "float(height)" : "height";
    if (is({"n", "count", "length", "size", "elements", "total", "num"}) || ends({"count", "length"}))
      return isFloat ? fmt::format("float({})", cells()) : cells();
    if (isFloat) return "1.0";
    std::string own = path;
    std::ranges::replace_if(
        own, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    if (own.empty() || std::isdigit(static_cast<unsigned char>(own[0])) != 0 || is({"i", "input", "subgroup"})) own = "p_" + own;
    if (made_.insert(own).second)
      parameters_.push_back(fmt::format("[parameters.{}]\nrange = [0, 16]  # ?? the least and the greatest\ndefault = 1\n", own));
    return own;
  }

  std::string pushText() {
    if (entry().push == nullptr) return {};
    std::vector<std::string> members;
    for (const Type::Member& m : entry().push->members) {
      std::vector<std::string> values;
      for (std::uint64_t byte = m.offset; byte < entry().pushBytes;) {
        const std::optional<LeafAt> leaf = leafAt(*entry().push, byte);
        const std::uint32_t size = leaf ? scalarBytes(leaf->scalar) : 0;
        const bool mine = leaf && (leaf->path == m.name || leaf->path.starts_with(m.name + ".") || leaf->path.starts_with(m.name + "["));
        if (size == 0 || !mine) break;
        values.push_back(quoted(valueFor(leaf->path, isFloat(leaf->scalar))));
        byte = leaf->offset + size;
      }
      if (values.empty()) continue;
      members.push_back(fmt::format("{} = {}", isPlainName(m.name) ? m.name : quoted(m.name),
                                    values.size() == 1 ? values[0] : fmt::format("[{}]", fmt::join(values, ", "))));
    }
    if (members.empty()) return {};
    return fmt::format("# {}\npush = {{ {} }}  # ??\n", blockText(*entry().push), fmt::join(members, ", "));
  }

  std::string dispatchText() {
    const std::uint32_t* local = entry().localSize;
    std::string out = "[[dispatches]]\n";
    out += flat_ ? fmt::format("groups = [\"ceil_div(width, {})\", \"ceil_div(height, {})\"]  # ??\n", local[0], local[1])
                 : fmt::format("groups = \"ceil_div(width, {})\"  # ??\n", local[0]);
    out += pushText();
    for (const InterfaceSpec& s : code_.interface->spec)
      out += fmt::format("# spec = {{ {} = \"{}\" }}{}\n", s.name.empty() ? fmt::format("\"{}\"", s.id) : s.name,
                         valueText(typeOf(s.scalar, s.isSigned), s.value), s.name.empty() ? "" : fmt::format("  # its id is {}", s.id));
    std::vector<std::string> bound;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const InterfaceBinding& b = entry().bindings[i];
      const std::string where = fmt::format("\"{}:{}\"", b.set, b.binding);
      if (b.kind == DescriptorKind::kSampler)
        bound.push_back(where + " = { sampler = \"linear,clamp-to-edge\" }");
      else if (b.kind == DescriptorKind::kCombinedImageSampler)
        bound.push_back(fmt::format("{} = {{ resource = \"{}\", sampler = \"linear,clamp-to-edge\" }}", where, names_[i]));
      else if (b.isTexelBuffer())
        bound.push_back(fmt::format("{} = {{ resource = \"{}\", format = \"rgba32ui\" }}", where, names_[i]));
      else if (!own_[i])
        bound.push_back(fmt::format("{} = \"{}\"", where, names_[i]));
    }
    if (!bound.empty()) out += fmt::format("bind = {{ {} }}\n", fmt::join(bound, ", "));
    return out;
  }

  const OpenModule& code_;
  const std::string file_;
  const SourceOptions& source_;
  bool flat_ = false;  // width and height
  std::size_t inputs_ = 0;
  std::vector<std::string> names_;
  std::vector<bool> own_;
  std::vector<std::string> parameters_;
  std::set<std::string> made_;
};

}  // namespace

Expected<std::string> firstDescription(const std::string& module, const SourceOptions& source, const std::string& description) {
  DescribedModule m;
  m.name = "kernel";
  m.source = source;
  std::error_code failed;
  m.file.text = fs::absolute(module, failed).string();
  const Expected<OpenModule> code = openModule(m, description);
  if (!code) return Error{code.error().outcome, code.error().what, module, code.error().hint};
  const fs::path folder = fs::path(description).parent_path();
  const fs::path named = fs::relative(module, folder.empty() ? "." : folder, failed);
  return FirstWriter(*code, failed || named.empty() ? module : named.string(), source).run();
}

}  // namespace lanewise
