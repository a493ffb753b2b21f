#include "model/check/last_writers.h"

#include "model/state/workgroup.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kLaneBits = 7;
static_assert(kMaxLanes == 1u << kLaneBits);

// Function memory of all lanes of a batch as one memory: word by word, and in a word lane by lane.
std::uint64_t functionByte(std::uint32_t lane, std::uint64_t byte) {
  return (byte / 4 * kMaxLanes + lane) * 4 + byte % 4;
}

std::uint64_t memoryByte(const AccessEvent& event, std::uint32_t lane, std::uint64_t byte) {
  return event.place == Place::kLaneMemory ? functionByte(lane, byte) : byte;
}

// Calls replaced(byte, entry) for each entry that had a writer.
template <class Shadow, class Entry, class Replaced>
void write(Shadow& shadow, std::uint64_t byte, std::uint32_t size, Entry entry, const Replaced& replaced) {
  shadow.rows(byte, size, [&](const auto& row) {
    for (std::uint64_t i = 0; i < row.count; ++i)
      if (const Entry before = std::exchange(row.cells[row.first + i], entry); before != 0) replaced(row.byte + i * row.unit, before);
  });
}

}  // namespace

LastWriters::LastWriters(const Job& job, bool functions) : job_(job), functions_(functions), resources_(job.resources.size()) {}

Answer LastWriters::moment(const Moment& moment) {
  std::visit(Cases{[this](const WorkgroupBegins& e) {
                     if (e.env.slot >= residents_.size()) residents_.resize(e.env.slot + 1);
                     Resident& r = residents_[e.env.slot];
                     r.memory.clear();
                     r.functions.clear();
                     r.functions.resize(functions_ ? e.env.program->batches : 0);
                   },
                   [this](const BlitTexel& e) { blitted(e); }, [](const auto&) {}},
             moment);
  return Answer::kGoOn;
}

LastWriters::Shadow& LastWriters::shadowOf(const AccessEvent& event, std::uint32_t resource) {
  Resident& own = residents_[event.batch.env->slot];
  if (event.place == Place::kWorkgroup) return own.memory;
  return event.place == Place::kLaneMemory ? own.functions[event.batch.index] : resources_[resource];
}

Answer LastWriters::access(const AccessEvent& event) {
  displaced_.clear();
  storing_ = 0;
  if (!writes(event.kind) || event.runs.empty() || event.place == Place::kPush) return Answer::kGoOn;
  const Batch& batch = event.batch;
  const Environment& env = *batch.env;
  StoreEvent store;
  store.group = linearOf(env.group, env.groups);
  store.dispatch = env.dispatch;
  store.pc = event.pc;
  store.batch = batch.index;
  const std::uint64_t base = add(store) << kLaneBits;
  for (const LaneRun& run : event.runs) {
    Shadow& shadow = shadowOf(event, run.resource);
    const auto replaced = [&](std::uint32_t lane) {
      return [this, lane, &run](std::uint64_t byte, Entry before) { displaced_.push_back({lane, run.resource, byte, writerOf(before)}); };
    };
    for (std::uint32_t i = 0; i < run.count; ++i) {
      const std::uint32_t lane = run.lane + i;
      if (event.place != Place::kLaneMemory) {
        write(shadow, run.offsetOf(i), run.size, base | lane, replaced(lane));
        continue;
      }
      // The words of one lane are not adjacent.
      for (std::uint32_t at = 0; at < run.size; at += 4)
        write(shadow, functionByte(lane, run.offsetOf(i) + at), 4, base | lane, replaced(lane));
    }
  }
  return Answer::kGoOn;
}

void LastWriters::blitted(const BlitTexel& made) {
  const std::size_t resource = resourceNamed(job_.resources, made.blit.resource);
  const FormatInfo* format = formatInfo(std::get<ImageData>(job_.resources[resource].data).format);
  StoreEvent store;
  store.dispatch = made.blit.before;
  store.pc = kBlitStore;
  write(resources_[resource], made.written, format->texelBytes, add(store) << kLaneBits, [](std::uint64_t, Entry) {});
}

std::uint64_t LastWriters::add(StoreEvent store) {
  if (stores_.size() >= limit_) forget();
  store.number = storing_ = ++count_;
  stores_.push_back(store);
  return stores_.size() - 1;
}

// Drops the stores that no entry refers to. The others keep their order.
void LastWriters::forget() {
  std::vector<std::uint64_t> moved(stores_.size());
  const auto everywhere = [this](const auto& use) {
    const auto page = [&](std::vector<Entry>& entries) {
      for (Entry& e : entries)
        if (e != 0) use(e);
    };
    for (Shadow& s : resources_) s.forEach(page);
    for (Resident& r : residents_) {
      r.memory.forEach(page);
      for (Shadow& s : r.functions) s.forEach(page);
    }
  };
  everywhere([&](Entry& e) { moved[e >> kLaneBits] = 1; });
  std::uint64_t left = 0;
  moved[0] = 1;
  for (std::size_t i = 0; i < stores_.size(); ++i) {
    if (moved[i] == 0) continue;
    stores_[left] = stores_[i];
    moved[i] = left++;
  }
  stores_.resize(left);
  everywhere([&](Entry& e) { e = moved[e >> kLaneBits] << kLaneBits | (e & (kMaxLanes - 1)); });
  limit_ = std::max<std::size_t>(1 << 16, 2 * left);
}

Writer LastWriters::writerOf(Entry entry) const {
  return {stores_[entry >> kLaneBits], static_cast<std::uint32_t>(entry & (kMaxLanes - 1))};
}

std::optional<Writer> LastWriters::ofResource(std::uint32_t resource, std::uint64_t byte) const {
  const Entry entry = resources_[resource].at(byte);
  return entry == 0 ? std::nullopt : std::optional(writerOf(entry));
}

std::optional<Writer> LastWriters::of(const AccessEvent& event, const LaneRun& run, std::uint32_t lane, std::uint64_t byte) const {
  if (event.place == Place::kPush) return {};
  const Entry entry = const_cast<LastWriters*>(this)->shadowOf(event, run.resource).at(memoryByte(event, lane, byte));
  return entry == 0 ? std::nullopt : std::optional(writerOf(entry));
}

}  // namespace lanewise
