// Which data each descriptor is given, and the job made from that. See resources.h; make_resources.cpp has the bytes.
#include "tools/run/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "golden/pictures/picture_io.h"
#include "tools/run/pictures.h"
#include "tools/run/type_text.h"

namespace lanewise {

Error ResourceSet::Entry::bad(std::string what, std::string hint) const {
  return {Outcome::kBadInput, std::move(what), fmt::format("{} {}", descriptorKindName(binding->kind), binding->text()), std::move(hint)};
}

bool ResourceSet::Entry::isSame() const {
  return (buffer && buffer->source.kind == Source::Kind::kSame) || (image && image->source.kind == Source::Kind::kSame);
}

Expected<const InterfaceBinding*> ResourceSet::declaredAt(Slot& slot, const char* option) const {
  const InterfaceBinding* found = nullptr;
  std::string names;
  for (const InterfaceBinding& b : entry_.bindings) {
    names += (names.empty() ? "it uses " : ", ") + b.text();
    const bool here = slot.name.empty() ? b.set == slot.set && b.binding == slot.binding : b.name == slot.name;
    if (here && found) return Error{Outcome::kBadInput, fmt::format("two bindings are named '{}'", slot.name), option, names};
    if (here) found = &b;
  }
  for (const InterfaceBinding& b : memory_)
    if (!found && b.name == slot.name) return &b;
  if (!found)
    return Error{Outcome::kBadInput, fmt::format("entry point '{}' uses no binding {}", entry_.name, slot.text()), option,
                 names.empty() ? "it uses none" : names};
  if (slot.element != 0 && (!found->array || (found->count != 0 && slot.element >= found->count)))
    return Error{Outcome::kBadInput,
                 fmt::format("binding {} has {}", found->text(),
                             found->array ? fmt::format("{} descriptors, the first is 0", found->count) : "one descriptor, no array"),
                 fmt::format("{} {}", option, slot.text()), ""};
  slot.set = found->set;
  slot.binding = found->binding;
  slot.name.clear();
  return found;
}

bool ResourceSet::uses(const Slot& slot) const {
  return std::ranges::any_of(entry_.bindings, [&](const InterfaceBinding& b) { return b.set == slot.set && b.binding == slot.binding; });
}

ResourceSet::Entry& ResourceSet::at(const InterfaceBinding& binding, const Slot& slot) {
  for (Entry& e : entries_)
    if (e.slot == slot) return e;
  entries_.push_back({slot, &binding});
  return entries_.back();
}

Status ResourceSet::add(const InterfaceBinding& binding, BufferArgument argument) {
  Entry& e = at(binding, argument.slot);
  if (!binding.isBuffer()) return e.bad("it is no buffer", suggestion(binding));
  if (e.buffer) return e.bad("its contents are given twice");
  if (argument.format && !binding.isTexelBuffer()) return e.bad("a buffer has no format", suggestion(binding));
  e.buffer = std::move(argument);
  return std::nullopt;
}

Status ResourceSet::add(const InterfaceBinding& binding, ImageArgument argument) {
  Entry& e = at(binding, argument.slot);
  if (!binding.isImage()) return e.bad("it is no image", suggestion(binding));
  if (e.image) return e.bad("--image is given twice for it");
  if (argument.source.kind == Source::Kind::kFile && isPictureFile(argument.source.text)) {
    auto& picture = pictures_[argument.source.text];
    if (!picture) {
      Expected<golden::Image> read = golden::readImage(argument.source.text);
      if (!read) return read.error();
      picture = std::move(*read);
    }
  }
  e.image = std::move(argument);
  return std::nullopt;
}

Status ResourceSet::add(const InterfaceBinding& binding, SamplerArgument argument) {
  Entry& e = at(binding, argument.slot);
  if (!binding.hasSampler()) return e.bad("it has no sampler", suggestion(binding));
  if (e.sampler) return e.bad("--sampler is given twice for it");
  e.sampler = argument.state;
  return std::nullopt;
}

Status ResourceSet::add(const InterfaceBinding& binding, OutArgument argument) {
  Entry& e = at(binding, argument.slot);
  if (!binding.isBuffer() && !binding.isImage()) return e.bad("it has no bytes to write");
  ImageShape shape = argument.shape;
  if (binding.isTexelBuffer()) shape.format.reset();
  if (binding.isBuffer() && shape != ImageShape{}) return e.bad("a buffer has no extent and no format", suggestion(binding));
  if (binding.isBuffer() && isPictureFile(argument.file)) return e.bad("a buffer is no picture", "write it as .bin, .txt or .json");
  e.outs.push_back(std::move(argument));
  return std::nullopt;
}

Status ResourceSet::addMemory(BufferArgument argument) {
  if (argument.slot.name.empty() || argument.source.kind == Source::Kind::kSame)
    return Error{Outcome::kBadInput, "memory without a binding has a name and contents of its own", "--memory",
                 "e.g. --memory nodes=zeros:4096"};
  InterfaceBinding& b = memory_.emplace_back();
  b.kind = DescriptorKind::kStorageBuffer;
  b.name = argument.slot.name;
  bytes_.kind = Type::Kind::kStruct;
  b.type = &bytes_;
  for (const InterfaceBinding& other : entry_.bindings)
    if (other.name == b.name)
      return Error{Outcome::kBadInput, fmt::format("'{}' is a binding", b.name), "--memory", "use --buffer or another name"};
  Entry& e = at(b, argument.slot);
  if (e.buffer) return e.bad("--memory is given twice for it");
  e.buffer = std::move(argument);
  e.bound = false;
  return std::nullopt;
}

const ResourceSet::Entry* ResourceSet::find(const std::string& resource) const {
  for (const Entry& e : entries_)
    if (e.slot.text() == resource) return &e;
  return nullptr;
}

Expected<std::string> ResourceSet::resourceOf(const std::string& text) const {
  Expected<Slot> slot = parseSlot("addr:" + text, text);
  if (!slot) return slot.error();
  const Expected<const InterfaceBinding*> binding = declaredAt(*slot, "addr:");
  if (!binding) return binding.error();
  const Entry* e = find(slot->text());
  if (!e || !e->binding->isBuffer() || e->isSame())
    return Error{Outcome::kBadInput, fmt::format("'{}' has no address", text), "addr:", "it needs a buffer with contents of its own"};
  return slot->text();
}

Status ResourceSet::missing() const {
  std::string what, hint;
  for (const InterfaceBinding& b : entry_.bindings) {
    if (b.kind == DescriptorKind::kAccelerationStructure)
      return Error{Outcome::kUnsupported, "ray queries are not supported", fmt::format("acceleration structure {}", b.text()), ""};
    if (b.kind == DescriptorKind::kOther) return Error{Outcome::kUnsupported, "a binding of this kind is not supported", b.text(), ""};
    const bool any = std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) {
      return e.binding == &b && (b.kind == DescriptorKind::kSampler || e.buffer || e.image || !e.outs.empty());
    });
    if (any) continue;
    what += fmt::format("{}{} {}", what.empty() ? "" : ", ", descriptorKindName(b.kind), b.text());
    hint += fmt::format("\n  {}", suggestion(b));
  }
  if (what.empty()) return std::nullopt;
  return Error{Outcome::kBadInput, "nothing is given for " + what, fmt::format("entry point '{}'", entry_.name), "add" + hint};
}

Status ResourceSet::build(Job& job) {
  if (Status wrong = missing()) return wrong;
  const Extent3 groups = job.dispatches[0].groups;
  invocations_ = std::uint64_t{groups.x} * groups.y * groups.z;
  for (const std::uint32_t side : entry_.localSize) invocations_ *= side;
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tuple(a.slot.set, a.slot.binding, a.slot.element, a.slot.name) <
           std::tuple(b.slot.set, b.slot.binding, b.slot.element, b.slot.name);
  });
  for (const bool given : {true, false})  // given images first: they decide the extent of the others
    for (Entry& e : entries_) {
      if (e.isSame() || (e.image || e.buffer) != given) continue;
      if (e.binding->kind == DescriptorKind::kSampler) {
        job.dispatches[0].bindings.push_back(*bindingOf(e, ""));
        continue;
      }
      Expected<Resource> resource = e.binding->isBuffer() ? makeBuffer(e) : makeImage(e);
      if (!resource) return resource.error();
      resource->name = e.slot.text();
      resource->output = !e.bound || e.binding->writable() || !e.outs.empty();
      if (const auto* image = std::get_if<ImageData>(&resource->data); image && given) {
        inputExtentsDiffer_ = inputExtentsDiffer_ || (inputExtent_ && *inputExtent_ != image->extent);
        inputExtent_ = image->extent;
      }
      Expected<Binding> binding = bindingOf(e, resource->name);
      if (!binding) return binding.error();
      if (e.bound) job.dispatches[0].bindings.push_back(std::move(*binding));
      job.resources.push_back(std::move(*resource));
    }
  std::sort(job.resources.begin(), job.resources.end(),
            [&](const Resource& a, const Resource& b) { return find(a.name) < find(b.name); });  // in the order of the entries
  for (const Entry& e : entries_)
    if (e.isSame())
      if (Status wrong = bindSame(e, job)) return wrong;
  return buildAddresses(job);
}

Status ResourceSet::bindSame(const Entry& e, Job& job) const {
  const Slot& same = e.buffer ? e.buffer->source.same : e.image->source.same;
  const std::size_t found = resourceNamed(job.resources, same.text());
  if (found == job.resources.size())
    return e.bad(fmt::format("nothing is given for {} itself", same.text()), "same: names a binding with data of its own");
  if (!e.outs.empty()) return e.bad(fmt::format("its bytes are those of {}", same.text()), fmt::format("--out {}", same.text()));
  job.resources[found].output |= e.binding->writable();
  Expected<Binding> binding = bindingOf(e, same.text());
  if (!binding) return binding.error();
  job.dispatches[0].bindings.push_back(std::move(*binding));
  return std::nullopt;
}

Status ResourceSet::buildAddresses(Job& job) const {
  for (const auto& [holder, list] : addresses_)
    for (const AddressValue& address : list) {
      const Expected<std::string> resource = resourceOf(address.whose);
      if (!resource) return resource.error();
      for (Resource& r : job.resources)
        if (r.name == holder) std::get<BufferData>(r.data).addresses.push_back({address.at, *resource, address.offset});
    }
  return std::nullopt;
}

Expected<Binding> ResourceSet::bindingOf(const Entry& e, std::string resource) const {
  Binding b;
  b.set = e.slot.set;
  b.binding = e.slot.binding;
  b.element = e.slot.element;
  b.resource = std::move(resource);
  b.sampler = e.sampler.value_or(SamplerState{});
  if (e.buffer) {
    b.offset = e.buffer->offset;
    b.size = e.buffer->size;
  }
  if (e.binding->isTexelBuffer()) {
    b.viewFormat = formatBySpirv(e.binding->type->imageFormat);
    if (e.buffer && e.buffer->format) b.viewFormat = *e.buffer->format;
    for (const OutArgument& out : e.outs)
      if (out.shape.format) b.viewFormat = *out.shape.format;
    if (b.viewFormat == Format::UNDEFINED) return e.bad("which format?", suggestion(*e.binding));
  }
  if (e.binding->isImage()) {
    ImageShape shape = e.image ? e.image->shape : ImageShape{};
    for (const OutArgument& out : e.outs) mergeShape(shape, out.shape);
    b.viewFormat = shape.view.value_or(Format::UNDEFINED);
    b.baseLevel = shape.level.value_or(0);
    b.levelCount = shape.viewLevels.value_or(0);
    b.baseLayer = shape.layer.value_or(0);
    b.layerCount = shape.viewLayers.value_or(0);
  }
  return b;
}

std::string suggestion(const InterfaceBinding& b) {
  const std::string where = fmt::format("{}:{}{}", b.set, b.binding, b.array ? ":ELEMENT" : "");
  const FormatInfo* declared = b.isImage() || b.isTexelBuffer() ? formatInfo(formatBySpirv(b.type->imageFormat)) : nullptr;
  const std::string format = declared ? std::string(declared->glsl.empty() ? declared->name : declared->glsl) : "FORMAT";
  if (b.isTexelBuffer())
    return fmt::format("--texel-buffer {}=FILE:{}{}", where, format,
                       b.writable() ? fmt::format(" or --out {}=FILE:BYTES:{}", where, format) : "");
  if (b.isBuffer()) {
    const std::uint32_t stride = runtimeStride(*b.type);
    std::string size = blockText(*b.type);
    if (stride != 0)
      size = fmt::format("{} bytes and {} for each element of {}", laidOutSize(*b.type), stride, b.type->members.back().name);
    if (!b.writable()) return fmt::format("--buffer {}=FILE   ({})", where, size);
    return fmt::format("--buffer {}=FILE or --out {}=FILE{}   ({})", where, where, stride != 0 ? ":BYTES" : "", size);
  }
  if (b.kind == DescriptorKind::kSampler) return fmt::format("--sampler {}=linear,repeat", where);
  const std::string image = fmt::format("--image {}=PICTURE:{}", where, format);
  if (b.kind == DescriptorKind::kCombinedImageSampler) return fmt::format("{} --sampler {}=linear,repeat", image, where);
  return b.writable() ? fmt::format("{} or --out {}=FILE:WIDTHxHEIGHT:{}", image, where, format) : image;
}

std::string blockText(const Type& block) {
  std::string members;
  for (const Type::Member& m : block.members) {
    if (members.size() > 200) {
      members += ", ...";
      break;
    }
    members += fmt::format("{}{} {}", members.empty() ? "" : ", ", typeText(*m.type), m.name);
  }
  return fmt::format("{} bytes: {}", laidOutSize(block), members);
}

}  // namespace lanewise
