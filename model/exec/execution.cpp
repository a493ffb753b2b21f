#include "model/exec/execution.h"

#include <fmt/format.h>

#include "model/exec/lanes.h"
#include "model/exec/start.h"
#include "model/memory/blit.h"
#include "model/state/control.h"
#include "model/state/view.h"

namespace lanewise {
namespace {

using Kind = ir::ResourceDeclaration::Kind;

bool isBuffer(Kind kind) {
  return kind == Kind::kUniformBuffer || kind == Kind::kStorageBuffer;
}

std::string bindingText(const Program& program, const ir::ResourceDeclaration& r) {
  return fmt::format("'{}', set {}, binding {}", program.module.nameOf(r.variable), r.set, r.binding);
}

}  // namespace

Expected<Execution> Execution::start(const Job& job, const Profile& profile, Schedule schedule, const ProgramSource& programs) {
  Execution e;
  e.job_ = &job;
  e.profile_ = profile;
  e.schedule_ = schedule;
  e.subgroupSize_ = job.subgroupSize ? job.subgroupSize : profile.subgroupSize;
  if (!std::has_single_bit(e.subgroupSize_) || e.subgroupSize_ > kMaxLanes)
    return Error{Outcome::kBadInput, fmt::format("a subgroup size of {} is not a power of two from 1 to 128", e.subgroupSize_), "", ""};
  if (Status error = checkBlits(job)) return *error;
  std::uint64_t bytes = 0;
  for (const Resource& r : job.resources) bytes += r.bytes().size();
  if (bytes > job.limits.maxMemory)
    return Error{Outcome::kBadInput, fmt::format("the resources take {} bytes, above the limit of {}", bytes, job.limits.maxMemory), "",
                 "raise the memory limit"};
  e.resources_ = job.resources;
  if (Status error = e.layOutImages()) return *error;
  if (Status error = e.placeAddresses()) return *error;
  e.viewBuffers();
  for (const Dispatch& d : job.dispatches)
    if (Status error = e.prepare(d, programs)) return *error;
  while (e.dispatch_ < e.plans_.size() && e.plans_[e.dispatch_].workgroups == 0) ++e.dispatch_;
  return e;
}

Status Execution::prepare(const Dispatch& dispatch, const ProgramSource& programs) {
  Plan plan;
  plan.dispatch = &dispatch;
  const std::uint32_t groups[] = {dispatch.groups.x, dispatch.groups.y, dispatch.groups.z};
  plan.workgroups = 1;
  for (int i = 0; i < 3; ++i) {
    if (groups[i] > profile_.maxWorkgroupCount[i])
      return Error{Outcome::kBadInput,
                   fmt::format("{} workgroups on axis {} are above the limit of {}", groups[i], "xyz"[i], profile_.maxWorkgroupCount[i]),
                   dispatch.module->name, ""};
    plan.workgroups *= groups[i];
  }
  Expected<std::shared_ptr<const Program>> program = programs(dispatch, subgroupSize_);
  if (!program) return program.error();
  plan.program = *program;
  const Program& code = **program;
  const std::uint64_t batch = code.registerBytes + std::uint64_t{code.laneWords} * code.width * 4;
  if (batch * code.batches > job_->limits.maxMemory)
    return Error{Outcome::kUnsupported,
                 fmt::format("the local variables of a workgroup take {} bytes, above the limit of {}", batch * code.batches,
                             job_->limits.maxMemory),
                 dispatch.module->name, "raise the memory limit, make the workgroup smaller, or keep large arrays in a buffer"};
  if (dispatch.push.size() > profile_.maxPushConstants)
    return Error{Outcome::kBadInput,
                 fmt::format("{} bytes of push constants are above the limit of {}", dispatch.push.size(), profile_.maxPushConstants),
                 dispatch.module->name, ""};
  if (dispatch.push.size() < plan.program->pushBytes)
    return Error{Outcome::kBadInput,
                 fmt::format("{} bytes of push constants given, {} needed", dispatch.push.size(), plan.program->pushBytes),
                 dispatch.module->name, ""};
  plan.push = dispatch.push;
  for (const Address& a : dispatch.pushAddresses) {
    const Expected<std::uint64_t> address = addressOf(a);
    if (!address) return address.error();
    if (Status error = writeAddress(plan.push, a, *address)) return error;
  }
  plans_.push_back(std::move(plan));
  return bind(plans_.back());
}

Status Execution::bind(Plan& plan) {
  const Program& program = *plan.program;
  constexpr std::uint32_t kMaxDescriptors = 1u << 20;
  std::uint32_t descriptors = 0;
  plan.descriptors.clear();
  for (const ir::ResourceDeclaration& r : program.resources) {
    std::uint32_t count = r.count;
    if (r.count == 0)
      for (const Binding& b : plan.dispatch->bindings)
        if (b.set == r.set && b.binding == r.binding) count = std::max(count, std::min(b.element, kMaxDescriptors) + 1);
    if (count > kMaxDescriptors - descriptors)
      return Error{Outcome::kUnsupported, "more than 2^20 descriptors are not supported", program.module.name, ""};
    plan.descriptors.push_back({descriptors, count});
    descriptors += count;
  }
  plan.buffers.assign(descriptors, {});
  plan.images.assign(descriptors, {});
  plan.samplers.assign(descriptors, {});
  plan.chains.assign(descriptors, {});
  plan.bindings.assign(descriptors, nullptr);
  for (std::size_t i = 0; i < program.resources.size(); ++i) {
    const ir::ResourceDeclaration& r = program.resources[i];
    bool any = false;
    for (const Binding& b : plan.dispatch->bindings) {
      if (b.set != r.set || b.binding != r.binding || b.element >= plan.descriptors[i].count) continue;
      if (Status error = bindOne(plan, i, b.element, b)) return error;
      any = true;
    }
    if (!any && r.used)
      return Error{Outcome::kBadInput, "nothing is bound to " + bindingText(program, r), program.module.name,
                   "give the dispatch a resource for it"};
  }
  return {};
}

Status Execution::bindOne(Plan& plan, std::size_t index, std::uint32_t element, const Binding& binding) {
  const ir::ResourceDeclaration& r = plan.program->resources[index];
  const std::size_t at = plan.descriptors[index].first + element;
  const auto where = [&] { return fmt::format("{}, {}", plan.program->module.name, bindingText(*plan.program, r)); };
  const auto placed = [&](Error e) {
    e.where = where();
    return e;
  };
  plan.bindings[at] = &binding;
  plan.samplers[at] = binding.sampler;
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
      plan.images[at] = *view;
      plan.images[at].resource = number;
      return {};
    }
    const auto view = viewOfBuffer(*data, binding);
    if (!view) return placed(view.error());
    plan.buffers[at] = *view;
    plan.buffers[at].resource = number;
    return {};
  }
  auto* data = std::get_if<ImageData>(&found->data);
  if (!data) return Error{Outcome::kBadInput, "'" + binding.resource + "' is a buffer where an image is needed", where(), ""};
  const auto view = viewOfImage(*data, images_[number].levels, image, binding, plan.chains[at]);
  if (!view) return placed(view.error());
  plan.images[at] = *view;
  plan.images[at].resource = number;
  return {};
}

Environment Execution::environment(Observers& observers) const {
  const Plan& plan = plans_[dispatch_];
  Environment env;
  env.program = plan.program.get();
  env.descriptors = plan.descriptors.data();
  env.buffers = plan.buffers.data();
  env.images = plan.images.data();
  env.addressable = addressable_.data();
  env.addressableCount = static_cast<std::uint32_t>(addressable_.size());
  env.samplers = plan.samplers.data();
  env.push = plan.push.data();
  env.pushBytes = static_cast<std::uint32_t>(plan.push.size());
  env.groups = plan.dispatch->groups;
  env.group = current_.id;
  env.dispatch = dispatch_;
  env.place = nextWorkgroup_;
  env.profile = &profile_;
  env.subgroupSize = plan.program->subgroupSize;
  env.maxSteps = static_cast<std::int64_t>(std::min<std::uint64_t>(job_->limits.maxSteps, std::uint64_t{1} << 62));
  env.observers = &observers;
  env.watches = observers.watches();
  return env;
}

void Execution::openWorkgroup() {
  const Plan& plan = plans_[dispatch_];
  const std::uint64_t linear = schedule_.at(nextWorkgroup_, plan.workgroups);
  const Extent3 groups = plan.dispatch->groups;
  current_.id = {static_cast<std::uint32_t>(linear % groups.x), static_cast<std::uint32_t>(linear / groups.x % groups.y),
                 static_cast<std::uint32_t>(linear / groups.x / groups.y)};
  current_.memory.assign(plan.program->workgroupBytes, kPoisonByte);
  for (const auto& [offset, size] : plan.program->workgroupZero) std::memset(current_.memory.data() + offset, 0, size);
  const bool fresh = currentProgram_ != plan.program;
  if (fresh) {
    current_.batches.clear();
    current_.batches.resize(plan.program->batches);
    currentProgram_ = plan.program;
  }
  Observers nobody({});
  const Environment env = environment(nobody);
  for (std::uint32_t i = 0; i < current_.batches.size(); ++i) prepareBatch(current_.batches[i], *plan.program, env, i, fresh);
  nextBatch_ = 0;
  open_ = true;
}

namespace {

// Until the batch is at a barrier, done, faulted, or stopped: then it is ready.
void runTogether(Batch& b) {
  const Instr* ip = b.base + b.pc;
  while (ip != nullptr) ip = ip->run(ip, b);
}

// The same with every instruction told.
void runOneByOne(Batch& b) {
  Observers& observers = *b.env->observers;
  const Instr* ip = b.base + b.pc;
  while (ip != nullptr) {
    const auto pc = static_cast<std::uint32_t>(ip - b.base);
    b.pc = pc;
    if (!observers.before(b, pc)) return;
    const LaneMask lanes = b.mask;
    ip = ip->run(ip, b);
    observers.after(b, pc, lanes);
    if (ip == nullptr || !observers.stopping()) continue;
    b.pc = static_cast<std::uint32_t>(ip - b.base);
    return;
  }
}

}  // namespace

void Execution::tellBegin(Observers& observers) {
  const Environment env = environment(observers);
  if (nextWorkgroup_ == 0) observers.moment(DispatchBegins{env});
  observers.moment(WorkgroupBegins{env});
  if (!observers.want(watch::kSubgroup)) return;
  const Program& program = *env.program;
  for (Batch& b : current_.batches) {
    b.env = &env;
    for (std::uint32_t first = 0; first < b.width; first += program.subgroupSize) {
      LaneMask lanes;
      for (std::uint32_t lane = first; lane < first + program.subgroupSize && lane < b.width; ++lane)
        if (b.live.test(lane)) lanes.set(lane);
      if (lanes.any()) observers.moment(SubgroupBegins{b, program.subgroupOf({b.index, first}), lanes});
    }
  }
}

void Execution::tellEnd(Observers& observers) {
  const Environment env = environment(observers);
  observers.moment(WorkgroupEnds{env});
  if (nextWorkgroup_ + 1 == plans_[dispatch_].workgroups) observers.moment(DispatchEnds{env});
}

// Until all its batches are done, an error, or somebody stops it: then it is still open.
Status Execution::runWorkgroup(Observers& observers) {
  Environment env = environment(observers);
  env.workgroupMemory = current_.memory.data();
  const bool oneByOne = observers.want(watch::kEachInstruction);
  const std::vector<Instr>& code = observers.want(watch::kObservedCode) ? env.program->observed : env.program->code;
  for (Batch& b : current_.batches) {
    b.env = &env;
    b.base = code.data();
    b.regs = b.registers.data();
    b.singleStep = oneByOne || env.program->separateLanes;
  }
  do {
    for (; nextBatch_ < current_.batches.size(); ++nextBatch_) {
      Batch& b = current_.batches[schedule_.at(nextBatch_, current_.batches.size())];
      if (b.status != Batch::Status::kReady) continue;
      bool stopped = false;
      if (env.program->separateLanes)
        stopped = runLanes(b, schedule_);
      else
        oneByOne ? runOneByOne(b) : runTogether(b);
      if (b.status == Batch::Status::kFaulted) return faultError(b);
      if (stopped || observers.stopping() || b.status == Batch::Status::kReady) return {};
    }
    const Expected<bool> opened = openBarrier();
    if (!opened) return opened.error();
    open_ = *opened;
  } while (open_ && !observers.stopping());
  return {};
}

// Every batch is at a barrier or done: the barrier opens, if it is the same for all. False where all are done.
Expected<bool> Execution::openBarrier() {
  Batch* waiting = nullptr;
  for (Batch& b : current_.batches) {
    if (b.status != Batch::Status::kAtBarrier) continue;
    if (waiting && waiting->pc != b.pc) {
      trap(b, b.base + b.pc - 1, Fault::kDivergentBarrier);
      return faultError(b);
    }
    b.status = Batch::Status::kReady;
    waiting = &b;
  }
  if (!waiting) return false;
  nextBatch_ = 0;
  if (watched(*waiting->env, watch::kBarrier))
    for (const Batch& b : current_.batches)
      if (b.status == Batch::Status::kReady)
        b.env->observers->moment(BarrierReleased{b, b.pc - 1, b.live, spv::Scope{b.base[b.pc - 1].imm}});
  return true;
}

void Execution::doBlits(Observers& observers) {
  for (; nextBlit_ < job_->blits.size() && job_->blits[nextBlit_].before <= dispatch_; ++nextBlit_) {
    const Blit& blit = job_->blits[nextBlit_];
    const std::size_t image = resourceNamed(resources_, blit.resource);
    blitLevel(blit, std::get<ImageData>(resources_[image].data), images_[image].levels, profile_, &observers);
  }
}

Status Execution::run(Observer& observer) {
  Observer* const one[] = {&observer};
  return run(one);
}

Status Execution::run(std::span<Observer* const> given) {
  PrintObserver printer(*printed_);
  std::vector<Observer*> all{&printer};
  all.insert(all.end(), given.begin(), given.end());
  Observers observers(all);
  while (!finished() && !observers.stopping()) {
    if (!open_) {
      doBlits(observers);
      if (finished() || observers.stopping()) break;
      openWorkgroup();
      tellBegin(observers);
      if (observers.stopping()) break;
    }
    if (Status error = runWorkgroup(observers)) return error;
    if (open_) break;
    tellEnd(observers);
    if (++nextWorkgroup_ < plans_[dispatch_].workgroups) continue;
    nextWorkgroup_ = 0;
    do ++dispatch_;
    while (dispatch_ < plans_.size() && plans_[dispatch_].workgroups == 0);
  }
  return {};
}

Error Execution::faultError(const Batch& b) const {
  const Program& program = *plans_[dispatch_].program;
  const std::string line = program.lineOf(b.pc);
  std::string where = fmt::format("{}{}{}, workgroup {},{},{}", program.module.name, line.empty() ? "" : ", ", line, current_.id.x,
                                  current_.id.y, current_.id.z);
  switch (b.fault) {
    case Fault::kStepLimit:
      return {Outcome::kFinding,
              fmt::format("the step limit of {} was reached in the loop of {}", job_->limits.maxSteps,
                          program.loopLineOf(b.pc).empty() ? "an unknown line" : program.loopLineOf(b.pc)),
              where, "an endless loop, or raise the step limit"};
    case Fault::kDivergentBarrier:
      return {Outcome::kFinding, "a control barrier that not all invocations reach together", where,
              "move the barrier out of divergent control flow"};
    case Fault::kUnreachable:
      return {Outcome::kFinding, "OpUnreachable was reached", where, ""};
    default:
      return {Outcome::kInternal, "a batch stopped without a reason", where, ""};
  }
}

Status Execution::layOutImages() {
  images_.resize(resources_.size());
  for (std::size_t i = 0; i < resources_.size(); ++i) {
    const auto* image = std::get_if<ImageData>(&resources_[i].data);
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
    padded.bytes = AlignedBytes(bytes);
    for (std::size_t l = 0; l < padded.levels.size(); ++l) padded.levels[l].data = padded.bytes.data() + starts[l];
    copyImage(i, true);
  }
  return {};
}

// Between the tight rows of a resource and the padded ones.
void Execution::copyImage(std::size_t resource, bool in) {
  auto& image = std::get<ImageData>(resources_[resource].data);
  const std::size_t texel = formatInfo(image.format)->texelBytes;
  for (const ImageLevel& level : images_[resource].levels) {
    std::byte* tight = image.bytes.data() + level.offset;
    const std::size_t row = level.extent.x * texel;
    for (std::uint32_t z = 0; z < level.extent.z; ++z)
      for (std::uint32_t y = 0; y < level.extent.y; ++y, tight += row) {
        std::byte* own = level.data + z * level.sliceBytes + y * level.rowBytes;
        if (in)
          std::memcpy(own, tight, row);
        else
          std::memcpy(tight, own, row);
      }
  }
}

Expected<std::uint64_t> Execution::addressOf(const Address& address) const {
  for (std::size_t i = 0; i < resources_.size(); ++i)
    if (resources_[i].name == address.resource && std::holds_alternative<BufferData>(resources_[i].data))
      return ((i + 1) << kAddressShift) + address.offset;
  return Error{Outcome::kBadInput, "there is no buffer named '" + address.resource + "' to take the address of", "", ""};
}

// Resources keep the addresses that they were given, as bytes.
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

const std::vector<Resource>& Execution::resources() {
  for (std::size_t i = 0; i < resources_.size(); ++i)
    if (std::holds_alternative<ImageData>(resources_[i].data)) copyImage(i, false);
  return resources_;
}

std::vector<Resource> Execution::takeOutputs() {
  resources();
  std::vector<Resource> outputs;
  for (Resource& r : resources_)
    if (r.output) outputs.push_back(std::move(r));
  return outputs;
}

}  // namespace lanewise
