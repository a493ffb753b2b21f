// Which data each descriptor is given, and the job made from that. See resources.h; make_resources.cpp has the bytes.
#include "tools/run/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "golden/pictures/picture_io.h"
#include "tools/run/pictures.h"
#include "tools/run/type_text.h"

namespace lanewise {

namespace {

// What stands before the numbers of a binding.
std::string dispatchText(std::uint32_t dispatch) {
  return dispatch == 0 ? "" : fmt::format("{}/", dispatch + 1);
}

}  // namespace

Error ResourceSet::Entry::bad(std::string what, std::string hint) const {
  const std::string where = fmt::format("{} {}{}", descriptorKindName(binding->kind), dispatchText(slot.dispatch), binding->text());
  return {Outcome::kBadInput, std::move(what), where, std::move(hint)};
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
  if (argument.slot.dispatch != 0)
    return Error{Outcome::kBadInput, fmt::format("memory belongs to no dispatch: '{}'", argument.slot.text()), "--memory",
                 "leave out the number"};
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

Expected<const ResourceSet*> ResourceSet::ofDispatch(const Slot& slot, const char* option) const {
  for (const ResourceSet* set = this; set != nullptr; set = set->before_)
    if (set->dispatch_ == slot.dispatch) return set;
  return Error{Outcome::kBadInput, fmt::format("'{}' is of no dispatch that comes before, and copies have no bindings", slot.text()),
               option, "the first dispatch is 1, and --then adds one"};
}

Expected<std::string> ResourceSet::resourceOf(const std::string& text) const {
  Expected<Slot> slot = parseSlot("addr:" + text, text);
  if (!slot) return slot.error();
  const Expected<const ResourceSet*> set = ofDispatch(*slot, "addr:");
  if (!set) return set.error();
  const Expected<const InterfaceBinding*> binding = (*set)->declaredAt(*slot, "addr:");
  if (!binding) return binding.error();
  const Entry* e = (*set)->find(slot->text());
  if (!e || !e->binding->isBuffer() || e->isSame())
    return Error{Outcome::kBadInput, fmt::format("'{}' has no address", text), "addr:", "it needs a buffer with contents of its own"};
  return slot->text();
}

Expected<std::string> ResourceSet::boundAt(const Slot& slot, const Job& job) const {
  if (!slot.name.empty()) return slot.text();  // memory
  for (const Binding& b : job.dispatches[slot.dispatch].bindings)
    if (b.set == slot.set && b.binding == slot.binding && b.element == slot.element && !b.resource.empty()) return b.resource;
  return Error{Outcome::kBadInput, fmt::format("nothing is given for {} itself", slot.text()), "",
               "same: names a binding with data of its own"};
}

// Each binding without data of its own is what the last dispatch with such a binding had there.
void ResourceSet::keepBound(Job& job) {
  for (const InterfaceBinding& b : entry_.bindings)
    for (const ResourceSet* set = before_; set != nullptr; set = set->before_) {
      const auto had = std::ranges::find_if(
          set->entry_.bindings, [&](const InterfaceBinding& other) { return other.set == b.set && other.binding == b.binding; });
      if (had == set->entry_.bindings.end()) continue;
      const bool alike = had->isBuffer() == b.isBuffer() && had->isTexelBuffer() == b.isTexelBuffer() && had->isImage() == b.isImage() &&
                         (b.kind == DescriptorKind::kSampler) == (had->kind == DescriptorKind::kSampler);
      if (!alike) break;
      for (const Binding& bound : job.dispatches[set->dispatch_].bindings) {
        if (bound.set != b.set || bound.binding != b.binding) continue;
        const auto own = std::ranges::find_if(entries_, [&](const Entry& e) {
          return e.binding == &b && e.slot.element == bound.element && (e.buffer || e.image || !e.outs.empty());
        });
        const auto sampler =
            std::ranges::find_if(entries_, [&](const Entry& e) { return e.binding == &b && e.slot.element == bound.element && e.sampler; });
        if (own != entries_.end() || (b.kind == DescriptorKind::kSampler && sampler != entries_.end())) continue;
        Binding& kept = job.dispatches[dispatch_].bindings.emplace_back(bound);
        if (sampler != entries_.end()) {
          kept.sampler = *sampler->sampler;
          entries_.erase(sampler);
        }
        if (bound.resource.empty()) continue;
        Resource& resource = job.resources[resourceNamed(job.resources, bound.resource)];
        resource.output = resource.output || b.writable();
        noteExtent(resource);
      }
      break;
    }
}

void ResourceSet::noteExtent(const Resource& resource) {
  const auto* image = std::get_if<ImageData>(&resource.data);
  if (image == nullptr) return;
  inputExtentsDiffer_ = inputExtentsDiffer_ || (inputExtent_ && *inputExtent_ != image->extent);
  inputExtent_ = image->extent;
}

namespace {

// What may stand in place of a file.
std::string givenAs(bool buffers, bool images) {
  std::string out;
  if (buffers) out += "FILE of a buffer may be zeros:BYTES or u32:1,2,3; ";
  if (images) out += "--image may be zeros:FORMAT:WIDTHxHEIGHT; ";
  return out.empty() ? out : fmt::format("\n  ({}- in place of the FILE of --out is the terminal)", out);
}

}  // namespace

Status ResourceSet::missing(const Job& job) const {
  std::string what, hint;
  bool buffers = false, images = false;
  for (const InterfaceBinding& b : entry_.bindings) {
    if (b.kind == DescriptorKind::kAccelerationStructure)
      return Error{Outcome::kUnsupported, "ray queries are not supported", fmt::format("acceleration structure {}", b.text()), ""};
    if (b.kind == DescriptorKind::kOther) return Error{Outcome::kUnsupported, "a binding of this kind is not supported", b.text(), ""};
    const bool any = std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) {
      return e.binding == &b && (b.kind == DescriptorKind::kSampler || e.buffer || e.image || !e.outs.empty());
    });
    const bool kept =
        std::ranges::any_of(job.dispatches[dispatch_].bindings, [&](const Binding& x) { return x.set == b.set && x.binding == b.binding; });
    if (any || kept) continue;
    what += fmt::format("{}{} {}", what.empty() ? "" : ", ", descriptorKindName(b.kind), b.text());
    buffers = buffers || b.isBuffer() || b.isTexelBuffer();
    images = images || b.isImage();
    std::string says = suggestion(b);
    const std::string numbers = fmt::format(" {}:{}", b.set, b.binding);
    for (std::size_t at = 0; dispatch_ != 0 && (at = says.find(numbers, at)) != std::string::npos; ++at)
      says.insert(at + 1, dispatchText(dispatch_));
    hint += "\n  " + says;
  }
  if (what.empty()) return std::nullopt;
  hint += givenAs(buffers, images);
  std::string where = fmt::format("entry point '{}'", entry_.name);
  if (dispatch_ != 0) where += fmt::format(" of dispatch {}", dispatch_ + 1);
  return Error{Outcome::kBadInput, "nothing is given for " + what, std::move(where), "add" + hint};
}

Status ResourceSet::build(Job& job) {
  keepBound(job);
  const Extent3 groups = job.dispatches[dispatch_].groups;
  const auto first = static_cast<std::ptrdiff_t>(job.resources.size());
  invocations_ = std::uint64_t{groups.x} * groups.y * groups.z;
  for (const std::uint32_t side : entry_.localSize) invocations_ *= side;
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tuple(a.slot.set, a.slot.binding, a.slot.element, a.slot.name) <
           std::tuple(b.slot.set, b.slot.binding, b.slot.element, b.slot.name);
  });
  for (const bool given : {true, false}) {  // given images first: they decide the extent of the others
    if (!given)                             // what is given and wrong is told first
      if (Status wrong = missing(job)) return wrong;
    for (Entry& e : entries_) {
      if (e.isSame() || (e.image || e.buffer) != given) continue;
      if (e.binding->kind == DescriptorKind::kSampler) {
        job.dispatches[dispatch_].bindings.push_back(*bindingOf(e, ""));
        continue;
      }
      Expected<Resource> resource = e.binding->isBuffer() ? makeBuffer(e) : makeImage(e);
      if (!resource) return resource.error();
      resource->name = e.slot.text();
      resource->output = !e.bound || e.binding->writable() || !e.outs.empty();
      if (given) noteExtent(*resource);
      Expected<Binding> binding = bindingOf(e, resource->name);
      if (!binding) return binding.error();
      if (e.bound) job.dispatches[dispatch_].bindings.push_back(std::move(*binding));
      job.resources.push_back(std::move(*resource));
    }
  }
  std::sort(job.resources.begin() + first, job.resources.end(),
            [&](const Resource& a, const Resource& b) { return find(a.name) < find(b.name); });  // in the order of the entries
  for (const Entry& e : entries_)
    if (e.isSame())
      if (Status wrong = bindSame(e, job)) return wrong;
  return buildAddresses(job);
}

Status ResourceSet::bindSame(const Entry& e, Job& job) const {
  const Slot& same = e.buffer ? e.buffer->source.same : e.image->source.same;
  const Expected<std::string> name = boundAt(same, job);
  if (!name) return e.bad(name.error().what, name.error().hint);
  Resource& resource = job.resources[resourceNamed(job.resources, *name)];
  if (std::holds_alternative<BufferData>(resource.data) != e.binding->isBuffer())
    return e.bad(fmt::format("{} is no {}", same.text(), e.binding->isBuffer() ? "buffer" : "image"));
  if (!e.outs.empty()) return e.bad(fmt::format("its bytes are those of {}", same.text()), fmt::format("--out {}", same.text()));
  resource.output |= e.binding->writable();
  Expected<Binding> binding = bindingOf(e, *name);
  if (!binding) return binding.error();
  job.dispatches[dispatch_].bindings.push_back(std::move(*binding));
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
  return laidOutSize(block) == 0 ? members : fmt::format("{} bytes: {}", laidOutSize(block), members);
}

}  // namespace lanewise
