// The execution state as bytes: resources, the position in the schedule, and every batch of the open workgroups. Where no workgroup is open
// it belongs to the run in every flavour.
//
// Layout: a header (magic, layout version, fingerprint of what must match), then the fields in the order in which they are written below,
// then the XXH3 of all before it. Integers have the host's byte order, little-endian; arrays follow their length. Promise: restore() never
// trusts a length. Bytes that are damaged or do not fit are bad input and leave the execution as it was.
#include <xxhash.h>

#include <type_traits>

#include "model/exec/execution.h"
#include "model/ir/operation_info.h"
#include "model/spirv/words.h"

namespace lanewise {
namespace {

constexpr std::uint64_t kMagic = 0x364554415453574cu;  // "LWSTATE6"

class Writer {
 public:
  template <class T>
  void value(const T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* p = reinterpret_cast<const std::byte*>(&v);
    bytes_.insert(bytes_.end(), p, p + sizeof(T));
  }
  void block(const std::byte* data, std::size_t size) {
    value<std::uint64_t>(size);
    bytes_.insert(bytes_.end(), data, data + size);
  }
  std::uint64_t checksum() const { return XXH3_64bits(bytes_.data(), bytes_.size()); }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

constexpr std::size_t kChecksumBytes = 8;

// Whether the bytes end with the checksum of those before.
bool isWhole(std::span<const std::byte> bytes) {
  if (bytes.size() < kChecksumBytes) return false;
  std::uint64_t checksum = 0;
  std::memcpy(&checksum, bytes.last(kChecksumBytes).data(), kChecksumBytes);
  return XXH3_64bits(bytes.data(), bytes.size() - kChecksumBytes) == checksum;
}

bool isWithin(const LaneMask& lanes, const LaneMask& all) {
  return !without(lanes, all).any();
}

}  // namespace

class StateReader {
 public:
  explicit StateReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <class T>
  T value() {
    T v{};
    if (bytes_.size() - at_ < sizeof(T)) {
      ok_ = false;
      return v;
    }
    std::memcpy(&v, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return v;
  }
  // Reads into memory of exactly that size.
  void block(std::byte* data, std::size_t size) {
    if (value<std::uint64_t>() != size || bytes_.size() - at_ < size) {
      ok_ = false;
      return;
    }
    if (size) std::memcpy(data, bytes_.data() + at_, size);
    at_ += size;
  }
  void fail() { ok_ = false; }
  bool ok() const { return ok_; }
  bool atEnd() const { return ok_ && at_ == bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

namespace {

void writeBatch(Writer& w, const Batch& b) {
  w.block(b.registers.data(), b.registers.size());
  w.block(b.laneMemory.data(), b.laneMemory.size());
  w.value(b.mask);
  w.value(b.live);
  w.value<std::uint64_t>(b.waiting.size());
  for (const Strand& s : b.waiting) {
    w.value(s.pc);
    w.value(s.lanes);
    w.value(s.steps);
  }
  w.value(b.pc);
  w.value(b.status);
  w.value(b.steps);
  w.value(b.ownSteps);
  w.value<std::uint64_t>(b.lone.size());
  for (const LoneLane& l : b.lone) {
    w.value(l.status);
    w.value(l.pc);
    w.value(l.steps);
    w.value(l.waits);
  }
  w.value(b.lane);
  w.value(b.waits);
}

Strand readStrand(StateReader& r) {
  Strand s;
  s.pc = r.value<std::uint32_t>();
  s.lanes = r.value<LaneMask>();
  s.steps = r.value<std::uint64_t>();
  return s;
}

// `code`: the number of instructions that a pc may name. The batch has been opened: its live lanes are those that have an invocation.
void readBatch(StateReader& r, Batch& b, std::size_t code) {
  r.block(b.registers.data(), b.registers.size());
  r.block(b.laneMemory.data(), b.laneMemory.size());
  const LaneMask mask = r.value<LaneMask>(), live = r.value<LaneMask>();
  if (!isWithin(mask | live, b.live)) return r.fail();
  b.live = live;
  const auto strands = r.value<std::uint64_t>();
  if (strands > kMaxLanes) return r.fail();
  b.waiting.clear();
  for (std::uint64_t i = 0; i < strands; ++i) b.waiting.push_back(readStrand(r));
  b.pc = r.value<std::uint32_t>();
  b.status = r.value<Batch::Status>();
  b.steps = r.value<std::uint64_t>();
  b.ownSteps = r.value<decltype(b.ownSteps)>();
  b.mostOwnSteps = *std::ranges::max_element(b.ownSteps);
  if (r.value<std::uint64_t>() != b.lone.size()) return r.fail();
  for (LoneLane& l : b.lone) {
    l.status = r.value<LoneLane::Status>();
    l.pc = r.value<std::uint32_t>();
    l.steps = r.value<std::uint64_t>();
    l.waits = r.value<std::uint64_t>();
    if (l.status > LoneLane::Status::kWaiting || l.pc >= code) r.fail();
  }
  b.lane = r.value<std::uint32_t>();
  if (b.lane != kNoLane && b.lane >= b.lone.size()) r.fail();
  b.waits = r.value<std::uint64_t>();
  const bool runsTogether = b.lone.empty() && b.status != Batch::Status::kDone;  // else the mask may be of lanes that have just returned
  if (b.pc >= code || b.status > Batch::Status::kDone || (runsTogether && !isWithin(mask, live))) r.fail();
  for (const Strand& s : b.waiting)
    if (s.pc >= code || !isWithin(s.lanes, live)) r.fail();
  b.setMask(mask);
}

// Whether an instruction only tells of the source: of files, lines and names. A run has nothing of it.
bool isOfSource(const spirv::Module& m, const spirv::Instruction& inst) {
  const ir::Section section = ir::sectionOf(inst.op);
  if (section == ir::Section::kSource || section == ir::Section::kName) return true;
  if (inst.op != spv::Op::OpExtInstImport) return isNonSemantic(m.setOf(inst));
  const auto set = m.sets.find(inst.result);
  return set != m.sets.end() && isNonSemantic(set->second);
}

// What runs, and how often.
void writeDispatch(Writer& w, const BoundDispatch& bound) {
  const spirv::Module& m = bound.program->module;
  for (const spirv::Instruction& inst : m.instructions)
    if (const auto own = std::as_bytes(spirv::wordsOf(m, inst)); !isOfSource(m, inst)) w.block(own.data(), own.size());
  const std::string& entry = bound.dispatch->entryPoint;
  w.block(reinterpret_cast<const std::byte*>(entry.data()), entry.size());
  w.value(bound.dispatch->groups);
  for (const SpecConstant& s : bound.dispatch->spec) {
    w.value(s.id);
    w.value(s.value);
  }
}

}  // namespace

std::uint16_t Execution::subject() const {
  Writer w;
  for (const BoundDispatch& bound : bound_) writeDispatch(w, bound);
  w.value(subgroupSize_);
  return static_cast<std::uint16_t>(w.checksum() % 0xffff + 1);
}

// A saved state belongs to these: programs, blits, shapes of resources, the profile (by its name), schedule, subgroup size.
std::uint64_t Execution::fingerprint() const {
  Writer w;
  for (const BoundDispatch& bound : bound_) {
    writeDispatch(w, bound);
    w.block(bound.push.data(), bound.push.size());
  }
  const auto text = [&w](const std::string& s) { w.block(reinterpret_cast<const std::byte*>(s.data()), s.size()); };
  text(profile_.name);
  for (const Resource& r : job_->resources) {
    w.value<std::uint64_t>(r.bytes().size());
    if (const auto* image = std::get_if<ImageData>(&r.data)) w.value(image->format);
  }
  for (const Blit& b : job_->blits) {
    text(b.resource);
    w.value(b.from);
    w.value(b.to);
    w.value(b.before);
  }
  text(schedule_.token());
  w.value(subgroupSize_);
  return w.checksum();
}

namespace {

// What the state of an open workgroup belongs to besides.
std::uint64_t codeFingerprint(const std::vector<BoundDispatch>& dispatches) {
  Writer w;
  for (const BoundDispatch& bound : dispatches) {
    w.value(bound.program->registerBytes);
    w.value(bound.program->code.size());
  }
  return w.checksum();
}

}  // namespace

std::vector<std::byte> Execution::save() {
  Writer w;
  w.value(kMagic);
  w.value(fingerprint());
  w.value(part_.running == 0 ? std::uint64_t{0} : codeFingerprint(bound_));
  for (const Resource& r : resources()) w.block(r.bytes().data(), r.bytes().size());
  w.value(dispatch_);
  w.value(nextBlit_);
  w.value(part_.next);
  w.value(part_.turns);
  w.value(part_.proofs);
  w.value<std::uint64_t>(part_.ahead.size());
  for (const std::uint64_t place : part_.ahead) w.value(place);
  w.value<std::uint8_t>(part_.turn.has_value());
  w.value(part_.turn.value_or(Turn{}));
  w.value<std::uint64_t>(part_.residents.size());
  for (const WorkgroupState& own : part_.residents) {
    w.value<std::uint8_t>(own.running);
    if (!own.running) continue;
    w.value(own.place);
    w.value(own.next);
    w.block(own.memory.data(), own.memory.size());
    for (const Batch& b : own.batches) writeBatch(w, b);
  }
  w.value(w.checksum());
  return w.take();
}

Status Execution::restore(const std::vector<std::byte>& state) {
  const Error wrong{Outcome::kBadInput, "this saved state does not belong to this run, or is damaged", "",
                    "resume with the kernel, case, schedule and version that it was saved with"};
  if (schedule_.weak || !isWhole(state)) return wrong;
  StateReader r(std::span<const std::byte>(state).first(state.size() - kChecksumBytes));
  if (r.value<std::uint64_t>() != kMagic || r.value<std::uint64_t>() != fingerprint()) return wrong;
  const auto code = r.value<std::uint64_t>();
  if (code != 0 && code != codeFingerprint(bound_)) return wrong;
  Execution read = clone();
  for (std::size_t i = 0; i < read.resources_.size(); ++i) {
    std::vector<std::byte>& bytes = read.resources_[i].bytes();
    bytes.resize(job_->resources[i].bytes().size());
    r.block(bytes.data(), bytes.size());
    if (read.images_[i].levels.empty()) continue;
    read.ownImage(i);
    read.copyIn(i, bytes);
  }
  read.bindAgain();
  read.dispatch_ = r.value<std::uint32_t>();
  read.nextBlit_ = r.value<std::uint32_t>();
  read.part_.askAt.clear();
  read.part_.next = r.value<std::uint64_t>();
  const bool running = read.dispatch_ < bound_.size();
  if (!r.ok() || read.dispatch_ > bound_.size() || read.nextBlit_ > job_->blits.size()) return wrong;
  if (running && read.part_.next > bound_[read.dispatch_].workgroups) return wrong;
  if (!readResidents(r, read) || (code == 0) != (read.part_.running == 0)) return wrong;
  if (!r.atEnd()) return wrong;
  *this = std::move(read);
  return {};
}

// Returns false where they do not fit the dispatch.
bool Execution::readResidents(StateReader& r, Execution& read) {
  const std::uint64_t opened = read.part_.next;
  const bool running = read.dispatch_ < bound_.size();
  read.part_.turns = r.value<std::uint64_t>();
  read.part_.proofs = r.value<std::uint64_t>();
  read.part_.firstOfSeries = read.part_.proofs + 1;
  std::vector<std::uint64_t> ahead(std::min<std::uint64_t>(r.value<std::uint64_t>(), 1 << 16));
  for (std::uint64_t& place : ahead) place = r.value<std::uint64_t>();
  if (!std::ranges::is_sorted(ahead, std::greater()) || (!ahead.empty() && ahead.back() <= opened)) return false;
  const bool begun = r.value<std::uint8_t>() != 0;
  const auto turn = r.value<Turn>();
  const auto slots = r.value<std::uint64_t>();
  const std::optional<DispatchRun> run = running ? std::optional(read.dispatchRun()) : std::nullopt;
  read.part_.end = running ? run->workgroups : 0;
  if (!r.ok() || slots > 1 << 16 || (running && slots > read.room()) || (opened != 0 && slots == 0)) return false;
  read.part_.residents.assign(slots, {});
  read.part_.running = 0;
  for (WorkgroupState& w : read.part_.residents) {
    if (r.value<std::uint8_t>() == 0) continue;
    const auto place = r.value<std::uint64_t>();
    const bool isOpen = place < opened || std::ranges::binary_search(ahead, place, std::greater());
    if (!running || !isOpen || place >= read.part_.end) return false;
    openWorkgroup(read.part_, place, w, *run);
    w.next = r.value<std::uint32_t>();
    r.block(w.memory.data(), w.memory.size());
    for (Batch& b : w.batches) readBatch(r, b, w.program->code.size());
    if (!r.ok() || w.next >= w.batches.size()) return false;
  }
  read.part_.next = opened;
  read.part_.ahead = ahead;
  read.part_.turn.reset();
  if (begun) read.part_.turn = turn;
  const bool known = !begun || (turn.slot < slots && read.part_.residents[turn.slot].running &&
                                turn.batch < read.part_.residents[turn.slot].batches.size());
  return known && (!running || opened == 0 || read.part_.running > 0 || opened < bound_[read.dispatch_].workgroups);
}

// The views of a run that had them before stay right: texels and bytes stay where they are.
void Execution::takeResources(Execution& from) {
  resources_ = std::move(from.resources_);
  images_ = std::move(from.images_);
}

// From a place between two workgroups.
void Execution::goOnFrom(Execution& from) {
  dispatch_ = from.dispatch_;
  nextBlit_ = from.nextBlit_;
  part_ = std::move(from.part_);
  part_.residents.assign(finished() || part_.next == 0 ? 0 : mostResident(), {});
  part_.turn.reset();
}

bool Execution::takeOver(Execution&& other) {
  if (other.part_.running != 0 || other.job_ != job_) return false;
  takeResources(other);
  viewBuffers();
  bindAgain();
  goOnFrom(other);
  return true;
}

void Execution::bindAgain() {
  for (BoundDispatch& bound : bound_) static_cast<void>(bind(bound));  // cannot fail: the bindings are the same
}

bool Execution::mayStoreFromNowOn(std::uint32_t resource) const {
  if (schedule_.weak) return true;  // stores of a dispatch before may still wait
  const std::uint32_t one[] = {resource};
  for (std::uint32_t d = dispatch_; d < bound_.size(); ++d)
    if (mayStore(d, one)) return true;
  return std::ranges::any_of(job_->blits, [&](const Blit& b) { return resourceNamed(resources_, b.resource) == resource; });
}

bool Execution::ownImage(std::size_t image) {
  PaddedImage& own = images_[image];
  if (own.bytes.use_count() == 1) return false;
  const std::byte* const before = own.bytes->data();
  own.bytes = std::make_shared<ImageBytes>(*own.bytes);
  for (ImageLevel& level : own.levels) level.data = own.bytes->data() + (level.data - before);
  return true;
}

// Views point into the resources, so a copy makes its own views.
Execution Execution::clone() {
  Execution copy;
  copy.job_ = job_;
  copy.profile_ = profile_;
  copy.schedule_ = schedule_;
  copy.subgroupSize_ = subgroupSize_;
  for (const Resource& r : resources_) copy.resources_.push_back(withoutTexels(r));
  copy.images_ = images_;
  for (std::uint32_t i = 0; i < images_.size(); ++i)
    if (images_[i].bytes && mayStoreFromNowOn(i)) copy.ownImage(i);
  copy.viewBuffers();
  *copy.printed_ = *printed_;
  copy.bound_ = bound_;
  copy.dispatch_ = dispatch_;
  copy.nextBlit_ = nextBlit_;
  copy.part_ = part_;
  copy.parallel_ = parallel_;
  copy.stop_ = stop_;
  copy.bindAgain();
  return copy;
}

}  // namespace lanewise
