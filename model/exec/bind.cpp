// Makes what the engine reads from a job's resources and bindings: padded images, views, descriptors, device addresses. How many workgroups
// memory has room for.
#include <fmt/format.h>

#include "model/exec/execution.h"
#include "model/exec/sharing.h"
#include "model/ir/together.h"
#include "model/state/view.h"
#include "model/state/workgroup.h"

namespace lanewise {
namespace {

using Kind = ir::ResourceDeclaration::Kind;

bool isBuffer(Kind kind) {
  return kind == Kind::kUniformBuffer || kind == Kind::kStorageBuffer;
}

// By the name of the variable, or else of its type: a block's.
std::string bindingText(const Program& program, const ir::ResourceDeclaration& r) {
  const auto name = program.module.names.find(r.variable);
  const bool named = name != program.module.names.end() && !name->second.empty();
  return fmt::format("'{}', set {}, binding {}", program.module.nameOf(named ? r.variable : r.type->id), r.set, r.binding);
}

}  // namespace

Status Execution::prepare(const Dispatch& dispatch, const ProgramSource& programs, const ProgramSource& alone) {
  if (!alone) return add(dispatch, programs);
  const std::size_t before = bound_.size();
  if (const Status error = add(dispatch, programs); !error) {
    const bool lanes = runsLanesTogether(bound_.back()), workgroups = workgroupsTogether(*bound_.back().program) > 1;
    if ((!lanes || hidesOrderOfLanes(bound_.back())) && (!workgroups || hidesOrderTogether(bound_.back()))) return {};
  }
  bound_.resize(before);
  return add(dispatch, alone);
}

Status Execution::add(const Dispatch& dispatch, const ProgramSource& programs) {
  BoundDispatch bound;
  bound.dispatch = &dispatch;
  bound.resources = resources_.size();
  const std::uint32_t groups[] = {dispatch.groups.x, dispatch.groups.y, dispatch.groups.z};
  for (int i = 0; i < 3; ++i)
    if (groups[i] > profile_.maxWorkgroupCount[i])
      return Error{Outcome::kBadInput,
                   fmt::format("{} workgroups on axis {} are above the limit of {}", groups[i], "xyz"[i], profile_.maxWorkgroupCount[i]),
                   dispatch.module->name, ""};
  if (const std::uint64_t rows = std::uint64_t{groups[0]} * groups[1]; rows != 0 && groups[2] > ~std::uint64_t{0} / rows)
    return Error{Outcome::kUnsupported, fmt::format("{}x{}x{} workgroups are more than 2^64", groups[0], groups[1], groups[2]),
                 dispatch.module->name, ""};
  Expected<std::shared_ptr<const Program>> program = programs(dispatch, subgroupSize_);
  if (!program) return program.error();
  bound.program = *program;
  bound.workgroups = workgroupsIn(placesOf(**program, dispatch.groups));
  if (const std::uint64_t bytes = registerBytes(**program); bytes > job_->limits.maxMemory)
    return Error{Outcome::kUnsupported,
                 fmt::format("the local variables of a workgroup take {} bytes, above the limit of {}", bytes, job_->limits.maxMemory),
                 dispatch.module->name, "raise the memory limit, make the workgroup smaller, or keep large arrays in a buffer"};
  if (dispatch.push.size() > profile_.maxPushConstants)
    return Error{Outcome::kBadInput,
                 fmt::format("{} bytes of push constants are above the limit of {}", dispatch.push.size(), profile_.maxPushConstants),
                 dispatch.module->name, ""};
  if (dispatch.push.size() < bound.program->pushBytes)
    return Error{Outcome::kBadInput,
                 fmt::format("{} bytes of push constants given, {} needed", dispatch.push.size(), bound.program->pushBytes),
                 dispatch.module->name, ""};
  bound.push = dispatch.push;
  for (const Address& a : dispatch.pushAddresses) {
    const Expected<std::uint64_t> address = addressOf(a);
    if (!address) return address.error();
    if (Status error = writeAddress(bound.push, a, *address)) return error;
  }
  bound_.push_back(std::move(bound));
  return bind(bound_.back());
}

std::uint64_t Execution::together() const {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(bound_, [&](const BoundDispatch& b) { return workgroupsTogether(*b.program) > 1 || runsLanesTogether(b); }));
}

// What the resources leave of the memory limit.
std::uint64_t Execution::memoryLeft() const {
  std::uint64_t taken = 0;
  for (const Resource& r : job_->resources) taken += r.bytes().size();
  return job_->limits.maxMemory - std::min(taken, job_->limits.maxMemory);
}

// How many workgroups of the current dispatch the memory limit allows to be resident.
std::uint64_t Execution::room() const {
  constexpr std::uint64_t kMost = 1 << 16;
  const std::uint64_t fit = std::max<std::uint64_t>(1, memoryLeft() / stateBytes(*bound_[dispatch_].program));
  return std::min({fit, bound_[dispatch_].workgroups, kMost});
}

// ... and the schedule wants.
std::uint64_t Execution::mostResident() const {
  return schedule_.resident == 0 ? room() : std::min<std::uint64_t>(schedule_.resident, room());
}

bool Execution::isNobodyLast() const {
  if (schedule_.order != Schedule::Order::kLast) return false;
  return std::ranges::all_of(bound_, [this](const BoundDispatch& d) {
    const std::uint64_t lanes = schedule_.lanes ? d.program->width : 1;
    return schedule_.seed >= std::max<std::uint64_t>({d.workgroups, d.program->batches, lanes});
  });
}

Status Execution::bind(BoundDispatch& bound) {
  const Program& program = *bound.program;
  constexpr std::uint32_t kMaxDescriptors = 1u << 20;
  std::uint32_t descriptors = 0;
  bound.descriptors.clear();
  for (const ir::ResourceDeclaration& r : program.resources) {
    std::uint32_t count = r.count;
    if (r.count == 0)
      for (const Binding& b : bound.dispatch->bindings)
        if (b.set == r.set && b.binding == r.binding) count = std::max(count, std::min(b.element, kMaxDescriptors) + 1);
    if (count > kMaxDescriptors - descriptors)
      return Error{Outcome::kUnsupported, "more than 2^20 descriptors are not supported", program.module.name, ""};
    bound.descriptors.push_back({descriptors, count});
    descriptors += count;
  }
  bound.buffers.assign(descriptors, {});
  bound.images.assign(descriptors, {});
  bound.samplers.assign(descriptors, {});
  bound.chains.assign(descriptors, {});
  bound.bindings.assign(descriptors, nullptr);
  for (std::size_t i = 0; i < program.resources.size(); ++i) {
    const ir::ResourceDeclaration& r = program.resources[i];
    bool any = false;
    for (const Binding& b : bound.dispatch->bindings) {
      if (b.set != r.set || b.binding != r.binding || b.element >= bound.descriptors[i].count) continue;
      if (Status error = bindOne(bound, i, b.element, b)) return error;
      any = true;
    }
    if (!any && r.used)
      return Error{Outcome::kBadInput, "nothing is bound to " + bindingText(program, r), program.module.name,
                   "give the dispatch a resource for it"};
  }
  return {};
}

Status Execution::bindOne(BoundDispatch& bound, std::size_t index, std::uint32_t element, const Binding& binding) {
  const ir::ResourceDeclaration& r = bound.program->resources[index];
  const std::size_t at = bound.descriptors[index].first + element;
  const auto where = [&] { return fmt::format("{}, {}", bound.program->module.name, bindingText(*bound.program, r)); };
  const auto placed = [&](Error e) {
    e.where = where();
    return e;
  };
  bound.bindings[at] = &binding;
  bound.samplers[at] = binding.sampler;
  if (r.kind == Kind::kSampler) return {};
  const auto number = static_cast<std::uint32_t>(resourceNamed(resources_, binding.resource));
  if (number == resources_.size()) return Error{Outcome::kBadInput, "there is no resource named '" + binding.resource + "'", where(), ""};
  Resource* const found = &resources_[number];
  const Type& image = r.kind == Kind::kCombined ? *r.type->element : *r.type;
  const bool texelBuffer = !isBuffer(r.kind) && image.dim == spv::Dim::Buffer;
  if (isBuffer(r.kind) || texelBuffer) {
    auto* data = std::get_if<BufferData>(&found->data);
    if (!data) return Error{Outcome::kBadInput, "'" + binding.resource + "' is an image where a buffer is needed", where(), ""};
    if (texelBuffer) {
      const auto view = viewOfTexelBuffer(*data, image, binding);
      if (!view) return placed(view.error());
      bound.images[at] = *view;
      bound.images[at].resource = number;
      return {};
    }
    const auto view = viewOfBuffer(*data, binding);
    if (!view) return placed(view.error());
    bound.buffers[at] = *view;
    bound.buffers[at].resource = number;
    return {};
  }
  auto* data = std::get_if<ImageData>(&found->data);
  if (!data) return Error{Outcome::kBadInput, "'" + binding.resource + "' is a buffer where an image is needed", where(), ""};
  const auto view = viewOfImage(*data, images_[number].levels, image, binding, bound.chains[at]);
  if (!view) return placed(view.error());
  bound.images[at] = *view;
  bound.images[at].resource = number;
  return {};
}

Status Execution::layOutImages() {
  images_.resize(resources_.size());
  for (std::size_t i = 0; i < resources_.size(); ++i) {
    const auto* image = std::get_if<ImageData>(&job_->resources[i].data);
    if (!image) continue;
    const FormatInfo* format = formatInfo(image->format);
    if (!format) return Error{Outcome::kUnsupported, "the image's format is not supported", "'" + resources_[i].name + "'", ""};
    if (image->bytes.size() != image->levelOffset(image->levels))
      return Error{Outcome::kBadInput,
                   fmt::format("the image has {} bytes where its size asks for {}", image->bytes.size(), image->levelOffset(image->levels)),
                   "'" + resources_[i].name + "'", ""};
    std::uint64_t bytes = 0;
    std::vector<std::uint64_t> starts;
    PaddedImage& padded = images_[i];
    for (std::uint32_t l = 0; l < image->levels; ++l) {
      ImageLevel level;
      const Extent3 e = image->levelExtent(l);
      level.extent = {e.x, e.y, image->dimensions == 3 ? e.z : image->layers * image->samples};
      // Rows start at 64-byte boundaries an odd number of cache lines apart.
      level.rowBytes = ((std::uint64_t{e.x} * format->texelBytes + 63) / 64 | 1) * 64;
      level.sliceBytes = level.rowBytes * e.y;
      level.offset = image->levelOffset(l);
      starts.push_back(bytes);
      bytes += level.sliceBytes * level.extent.z;
      padded.levels.push_back(level);
    }
    padded.bytes = std::make_shared<ImageBytes>(bytes);
    for (std::size_t l = 0; l < padded.levels.size(); ++l) padded.levels[l].data = padded.bytes->data() + starts[l];
    copyIn(i, image->bytes);
  }
  return {};
}

namespace {

// Each row: its place here, where it begins in the resource's own bytes, whose rows have no padding, its bytes, and those of its padding.
template <class Do>
void forEachRow(const PaddedImage& image, std::size_t texelBytes, const Do& each) {
  for (const ImageLevel& level : image.levels) {
    const std::size_t row = level.extent.x * texelBytes;
    std::size_t tight = level.offset;
    for (std::uint32_t z = 0; z < level.extent.z; ++z)
      for (std::uint32_t y = 0; y < level.extent.y; ++y, tight += row)
        each(level.data + z * level.sliceBytes + y * level.rowBytes, tight, row, level.rowBytes - row);
  }
}

}  // namespace

void Execution::copyIn(std::size_t resource, const std::vector<std::byte>& from) {
  const auto& image = std::get<ImageData>(resources_[resource].data);
  forEachRow(images_[resource], formatInfo(image.format)->texelBytes,
             [&](std::byte* own, std::size_t tight, std::size_t bytes, std::size_t padding) {
               std::memcpy(own, from.data() + tight, bytes);
               std::memset(own + bytes, 0, padding);
             });
}

void Execution::copyOut(std::size_t resource) {
  auto* image = std::get_if<ImageData>(&resources_[resource].data);
  if (!image) return;
  image->bytes.resize(image->levelOffset(image->levels));
  forEachRow(images_[resource], formatInfo(image->format)->texelBytes,
             [&](const std::byte* own, std::size_t tight, std::size_t bytes, std::size_t) {
               std::memcpy(image->bytes.data() + tight, own, bytes);
             });
}

Expected<std::uint64_t> Execution::addressOf(const Address& address) const {
  for (std::size_t i = 0; i < resources_.size(); ++i)
    if (resources_[i].name == address.resource && std::holds_alternative<BufferData>(resources_[i].data))
      return ((i + 1) << kAddressShift) + address.offset;
  return Error{Outcome::kBadInput, "there is no buffer named '" + address.resource + "' to take the address of", "", ""};
}

// Writes the addresses that a job asks for into the bytes of its buffers.
Status Execution::placeAddresses() {
  for (Resource& r : resources_) {
    auto* buffer = std::get_if<BufferData>(&r.data);
    if (!buffer) continue;
    for (const Address& a : buffer->addresses) {
      const Expected<std::uint64_t> address = addressOf(a);
      if (!address) return address.error();
      if (Status error = writeAddress(buffer->bytes, a, *address)) return error;
    }
  }
  return {};
}

void Execution::viewBuffers() {
  addressable_.clear();
  for (std::uint32_t i = 0; i < resources_.size(); ++i) {
    auto* buffer = std::get_if<BufferData>(&resources_[i].data);
    addressable_.push_back(buffer ? BufferView{buffer->bytes.data(), buffer->bytes.size(), i} : BufferView{});
  }
}

}  // namespace lanewise
