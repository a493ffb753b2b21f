#include "tools/run/job_place.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/spirv/interface.h"
#include "model/spirv/parse.h"
#include "tools/run/pictures.h"
#include "tools/run/type_text.h"

namespace lanewise {
namespace {

// The byte as a variable names it, if this one does.
std::optional<JobPlace> through(const InterfaceBinding& variable, const std::string& name, const Binding& bound, const Resource& resource,
                                std::uint64_t byte) {
  const std::string element = variable.array ? fmt::format("[{}]", bound.element) : "";
  if (const auto* image = std::get_if<ImageData>(&resource.data)) {
    const ImageData::Texel t = image->texelAt(byte);
    const std::string place = placeIn(resource, byte), at = place.substr(0, place.find(' '));
    const FormatInfo* format = formatInfo(image->format);
    return JobPlace{fmt::format("{}{}[{}]{}", name.empty() ? resource.name : name, element, at,
                                image->levels > 1 ? fmt::format(" of level {}", t.level) : ""),
                    byte - byte % format->texelBytes, format};
  }
  if (byte < bound.offset) return {};
  if (variable.isTexelBuffer()) {
    const FormatInfo* format = formatInfo(bound.viewFormat);
    if (format == nullptr) return {};
    const std::uint64_t texel = (byte - bound.offset) / format->texelBytes;
    return JobPlace{fmt::format("{}{}[{}]", name, element, texel), bound.offset + texel * format->texelBytes, format};
  }
  if (!variable.isBuffer() || variable.type == nullptr) return {};
  const std::optional<LeafAt> leaf = leafAt(*variable.type, byte - bound.offset);
  if (!leaf) return {};
  // A buffer of HLSL is a block that glslang made around its elements.
  const bool isMade = !name.empty() && !variable.type->members.empty() && variable.type->members[0].name.starts_with('@');
  const std::string inside = isMade ? leaf->path.substr(std::min(leaf->path.find('['), leaf->path.size())) : leaf->path;
  const std::string path = inside.empty() || inside.starts_with('[') || name.empty() ? inside : "." + inside;
  return JobPlace{name + element + path, bound.offset + leaf->offset, nullptr, typeOf(*leaf)};
}

}  // namespace

std::string JobPlace::value(const std::vector<std::byte>& bytes, const TexelRules& rules) const {
  if (first + (texel ? texel->texelBytes : type.bytes) > bytes.size()) return "outside";
  if (!texel) return valueText(type, valueBits(type, bytes.data() + first));
  std::string text = texelText(*texel, bytes.data() + first, rules), out;
  if (texel->components == 1) return text;
  for (const char c : text) out += c == ' ' ? ", " : std::string(1, c);
  return "(" + out + ")";
}

JobPlace placeOf(const Job& job, const Resource& resource, std::uint64_t byte) {
  for (const Dispatch& d : job.dispatches) {
    const Expected<spirv::Module> module = spirv::parse(d.module->name, d.module->words);
    if (!module) continue;
    const Expected<Interface> interface = readInterface(*module, d.spec);
    const InterfaceEntry* entry = interface.ok() ? interface->entry(d.entryPoint) : nullptr;
    if (entry == nullptr) continue;
    for (const InterfaceBinding& variable : entry->bindings)
      for (const Binding& bound : d.bindings) {
        if (bound.resource != resource.name || bound.set != variable.set || bound.binding != variable.binding) continue;
        // A block without a name is its members.
        const auto own = module->names.find(variable.variable);
        if (const auto place = through(variable, own == module->names.end() ? "" : own->second, bound, resource, byte)) return *place;
      }
  }
  JobPlace unnamed{fmt::format("byte {} of '{}'", byte, resource.name), byte};
  unnamed.isNamed = false;
  return unnamed;
}

}  // namespace lanewise
