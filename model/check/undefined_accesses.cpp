// How undefined bytes go into memory and come out of it.
#include "model/check/locals_used.h"
#include "model/check/place_text.h"
#include "model/check/undefined_tracker.h"
#include "model/check/unread_exchange.h"

namespace lanewise::undefined {
namespace {

// The bytes of a texel that component c is in; all where it does not fill bytes of its own.
std::pair<std::uint32_t, std::uint32_t> bytesOf(const FormatInfo& format, std::uint32_t c) {
  const std::uint32_t bits = format.layout.bits[c], shift = format.layout.shift[c];
  if (bits == 0 || bits % 8 != 0 || shift % 8 != 0) return {0, bits == 0 ? 0u : std::uint32_t{format.texelBytes}};
  return {shift / 8, bits / 8};
}

}  // namespace

MarkedMemory& Tracker::memoryOf(const AccessEvent& event, const LaneRun& run) {
  return event.place == Place::kWorkgroup ? groups_[event.batch.env->slot].memory : resources_[run.resource];
}

// Of bytes that are read as one scalar.
Tracker::Cell Tracker::read(const AccessEvent& event, const LaneRun& run, std::uint32_t lane, std::uint64_t byte, std::uint32_t size) {
  const MarkedMemory& memory = memoryOf(event, run);
  if (memory.clean()) return {};
  Cell cell;
  for (std::uint32_t i = 0; i < size; ++i) {
    Mark mark = memory.at(byte + i);
    if (mark == 0) continue;
    if (mark == kUnwritten) mark = markOf(Source::Kind::kMemory, whereOf(event.batch, event.pc, lane));
    cell.mark = mark;
    cell.bytes |= static_cast<ir::ByteMask>(1u << std::min(i, 7u));
  }
  return cell;
}

void Tracker::store(const AccessEvent& event, const LaneRun& run, std::uint32_t lane, std::uint64_t byte, std::uint32_t size, Cell cell) {
  MarkedMemory& memory = memoryOf(event, run);
  if (!cell) return memory.set(byte, size, 0);
  const Mark mark = markStored(cell.mark, whereOf(event.batch, event.pc, lane));
  for (std::uint32_t i = 0; i < size; ++i) memory.set(byte + i, 1, (cell.bytes >> std::min(i, 7u) & 1) != 0 ? mark : 0);
}

// A load or store of an image. Several texels of one lane (a filter) make all components undefined that one of them does.
void Tracker::texel(const AccessEvent& event, Lanes& l, const LaneRun& run, std::uint32_t lane, std::uint64_t byte) {
  const Program& program = *event.batch.env->program;
  const InstrInfo& info = program.info[event.pc];
  const auto& image = program.code[event.pc].as<kind::Image>();
  const auto arguments = program.argumentsOf(event.pc), results = program.resultsOf(event.pc);
  const FormatInfo* format = viewedFormat(event, run);
  if (format == nullptr) return;
  const bool filters = info.op == ir::kImageSample;
  if (event.kind == AccessKind::kWrite) {
    memoryOf(event, run).set(byte, run.size, 0);
    for (std::uint32_t c = 0; c < program.componentsStored(event.pc) && c < 4; ++c) {
      const Cell cell = get(l, arguments[image.values + c], lane);
      const auto [first, size] = bytesOf(*format, c);
      if (cell && size != 0) store(event, run, lane, byte + first, size, {cell.mark, 0xff});
    }
    return;
  }
  std::uint32_t next = 0;
  for (std::uint32_t c = 0; c < 4; ++c) {
    if ((image.used >> c & 1) == 0) continue;
    const DescribedOperand& result = results[next++];
    const auto [first, size] = filters ? std::pair(0u, run.size) : bytesOf(*format, c);
    if (const Cell cell = read(event, run, lane, byte + first, size)) set(l, result, lane, {cell.mark, 0xff});
  }
}

void Tracker::atomic(const AccessEvent& event, Lanes& l, const LaneRun& run, std::uint32_t lane, std::uint64_t byte) {
  const Program& program = *event.batch.env->program;
  const auto arguments = program.argumentsOf(event.pc), results = program.resultsOf(event.pc);
  const Where at = whereOf(event.batch, event.pc, lane);
  const std::uint8_t values = watched_[event.batch.env->dispatch].steps[event.pc].values;
  for (const DescribedOperand& value : arguments.subspan(std::min<std::size_t>(values, arguments.size())))
    if (const Cell cell = get(l, value, lane)) tell(Sink::kAtomic, cell.mark, at);
  const Cell before = event.kind == AccessKind::kAtomicWrite || isUnreadExchange(event) ? Cell{} : read(event, run, lane, byte, run.size);
  const bool moves = event.kind == AccessKind::kAtomicRead || isExchange(event);
  if (before && !moves) tell(Sink::kAtomic, before.mark, at);
  if (before && moves && !results.empty()) set(l, results[0], lane, before);
  if (writes(event.kind)) memoryOf(event, run).set(byte, run.size, 0);
}

void Tracker::storeLocal(const InstructionEvent& e, Lanes& l, const LaneMask& lanes, std::uint32_t word, const DescribedOperand& value) {
  const LaneMask undefined = markedOf(l, {&value, 1}, lanes);
  Word& w = l.words[word];
  w.undefined = without(w.undefined, lanes) | undefined;
  w.stored = without(w.stored, lanes);
  if (!undefined.any()) return;
  const auto cellOf = [&](std::uint32_t lane) {
    Cell cell = get(l, value, lane);
    if (e.info.op == ir::kLocalFill && cell) cell.bytes = 0xff;
    return cell;
  };
  if (value.slot.step == 0) {
    const Cell all = cellOf(0);
    const bool othersHave = without(without(w.undefined, lanes), w.stored).any();
    if (!othersHave) w.same = all;
    if (w.same == all) return;
  }
  Cell* const cells = l.stored.data() + std::size_t{word} * e.batch.width;
  forLanes(undefined, [&](std::uint32_t lane) { cells[lane] = cellOf(lane); });
  w.stored = w.stored | undefined;
}

void Tracker::loadLocal(const InstructionEvent& e, Lanes& l, const LaneMask& lanes, std::uint32_t word) {
  const Word& w = l.words[word];
  const Cell* const cells = l.stored.data() + std::size_t{word} * e.batch.width;
  forLanes(w.undefined & lanes, [&](std::uint32_t lane) { set(l, e.results[0], lane, w.stored.test(lane) ? cells[lane] : w.same); });
}

// Before it runs: its registers still have the places.
void Tracker::locals(const InstructionEvent& e, Lanes& l) {
  if (e.info.op != ir::kLocalLoad) {
    forEachLocal(e.batch, e.pc, e.lanes, [&](const LaneMask& lanes, std::uint32_t first, std::uint32_t words) {
      for (std::uint32_t word = first; word < first + words; ++word) storeLocal(e, l, lanes, word, e.arguments.back());
    });
    return;
  }
  clear(l, e);
  forEachLocal(e.batch, e.pc, e.lanes, [&](const LaneMask& lanes, std::uint32_t first, std::uint32_t) { loadLocal(e, l, lanes, first); });
}

Answer Tracker::access(const AccessEvent& event) {
  const Program& program = *event.batch.env->program;
  const InstrInfo& info = program.info[event.pc];
  Lanes& l = lanesOf(event.batch);
  const auto arguments = program.argumentsOf(event.pc), results = program.resultsOf(event.pc);
  // What is out of range reads as zeros. The results of a texel's addition are its sums, where they are undefined.
  std::vector<std::array<Cell, kMaxLanes>> sums;
  if (info.op == ir::kImageReadAdd && markedOf(l, arguments, event.lanes).any()) sums.resize(4);
  const auto* image = std::get_if<kind::Image>(&program.code[event.pc].what);
  for (std::uint32_t c = 0; c < sums.size(); ++c)
    forLanes(event.lanes, [&](std::uint32_t lane) { sums[c][lane] = get(l, arguments[image->values + c], lane); });
  if (reads(event.kind)) clear(l, {event.batch, event.pc, event.lanes, info, arguments, results});
  if (event.place == Place::kPush) return Answer::kGoOn;
  const std::uint32_t values = watched_[event.batch.env->dispatch].steps[event.pc].values;
  const bool storesDefined =
      event.kind == AccessKind::kWrite && !markedOf(l, arguments.subspan(std::min<std::size_t>(values, info.arguments)), event.lanes).any();
  for (const LaneRun& run : event.runs) {
    if (event.kind == AccessKind::kRead && memoryOf(event, run).surelyDefined(run)) continue;
    if (storesDefined) {
      memoryOf(event, run).define(run);
      continue;
    }
    for (std::uint32_t i = 0; i < run.count; ++i) {
      const std::uint32_t lane = run.lane + i;
      const std::uint64_t byte = run.offsetOf(i);
      if (isAtomic(event.kind))
        atomic(event, l, run, lane, byte);
      else if (event.place == Place::kImage)
        texel(event, l, run, lane, byte);
      else if (event.kind == AccessKind::kWrite)
        store(event, run, lane, byte, run.size, get(l, arguments[2], lane));
      else if (const Cell cell = read(event, run, lane, byte, run.size))
        set(l, results[0], lane, cell);
    }
  }
  std::uint32_t next = 0;
  for (std::uint32_t c = 0; c < sums.size(); ++c) {
    if ((image->used >> c & 1) == 0) continue;
    for (std::uint32_t lane = 0; lane < event.batch.width; ++lane)
      if (sums[c][lane]) set(l, results[next], lane, sums[c][lane]);
    ++next;
  }
  return Answer::kGoOn;
}

}  // namespace lanewise::undefined
