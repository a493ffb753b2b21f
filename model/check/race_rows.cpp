#include "model/check/race_rows.h"

#include <algorithm>

namespace lanewise::race {
namespace {

// Part of each instruction set's copy of a loop.
#define LANEWISE_IN_LOOP [[gnu::always_inline]] inline
#define LANEWISE_LAMBDA_IN_LOOP __attribute__((always_inline))

// Runs a loop as code for wide vectors where the host has them: it then gathers the marks of several lanes at once.
#ifdef __x86_64__
template <auto Loop, class... Args>
[[gnu::target("arch=x86-64-v4")]] auto runWide(const Args&... args) {
  return Loop(args...);
}
#endif
template <auto Loop, class Cells>
auto runWidest(const Cells& cells, const User& user) {
#ifdef __x86_64__
  if (user.level == HostLevel::kV4) return runWide<Loop>(cells, user);
#endif
  return Loop(cells, user);
}

// 1 for true, so that loops have no branches.
constexpr std::uint32_t flag(bool b) {
  return b ? 1 : 0;
}

// The mark of a cell's loads or atomics after one more.
LANEWISE_IN_LOOP Mark withOne(Mark m, Mark own, const User& user) {
  const Mark other = ((m == user.anybody) | (periodOf(m) == user.alike)) ? user.anybody : markOf(periodOf(own)) | kMany;
  return ((m < user.since) | (m == own)) ? own : other;
}

// The same after several more.
inline Mark withMany(Mark m, const User& user) {
  const bool anybody = m == user.anybody || (m >= user.since && periodOf(m) == user.alike);
  return anybody ? user.anybody : markOf(periodOf(user.own)) | kMany;
}

// Nobody else has used it, or only others with the same meaning.
LANEWISE_IN_LOOP std::uint32_t isOurs(Mark m, Mark own, const User& user) {
  return flag(periodOf(m) == periodOf(own)) | flag(m == user.anybody) | flag(periodOf(m) == user.alike);
}

LANEWISE_IN_LOOP std::uint32_t hardRead(Mark w, Mark r, Mark own, const User& user) {
  return (flag(w >= user.since) & flag(w != own)) | (flag(r >= user.since) & (isOurs(r, own, user) ^ 1));
}

LANEWISE_IN_LOOP std::uint32_t hardWrite(Mark w, Mark r, Mark own, const User& user) {
  return (flag(w >= user.since) & flag(w != own)) | (flag(r >= user.since) & flag(r != own));
}

// Since then nobody has stored or made a plain read, and all atomics are of one kind, which race with none of their kind.
LANEWISE_IN_LOOP std::uint32_t hardAtomic(Mark w, Mark r, Mark a, Mark own, const User& user) {
  const std::uint32_t other = flag(!user.commutes) | (isOurs(a, own, user) ^ 1);
  return flag(w >= user.since) | flag(r >= user.since) | (flag(a >= user.since) & other);
}

using One = std::integral_constant<std::size_t, 1>;

// Where all marks of a page's stores, loads or atomics are old, one old mark stands for them: they are not looked at, nor replaced.
struct NoMarks {
  constexpr Mark operator[](std::size_t) const { return 0; }
};
struct Column {
  Mark* marks;
  std::uint32_t used;
  Mark& operator[](std::uint32_t n) const { return marks[n & used]; }
};
LANEWISE_IN_LOOP Column columnOf(KindMarks& marks, const User& user, Mark& old) {
  return marks.newest < user.since ? Column{&old, 0} : Column{marks.all.data(), ~0u};
}

// Marks at equal distances, 1 << shift of them per lane. False if not all were easy; then nothing is done.
template <class Writes, class Step>
LANEWISE_IN_LOOP bool readAll(Mark* reads, Writes writes, std::uint32_t count, Step step, std::uint32_t shift, std::uint32_t first,
                              User user) {
  if (std::max(reads[0], writes[0]) < user.since) {  // the first was not used since; perhaps none was
    Mark last = 0;
    for (std::size_t i = 0; i < count; ++i) last = std::max({last, writes[i * step], reads[i * step]});
    if (last < user.since) {
#pragma GCC ivdep
      for (std::size_t i = 0; i < count; ++i) reads[i * step] = first + static_cast<std::uint32_t>(i >> shift);
      return true;
    }
  }
  std::uint32_t hard = 0;
  for (std::size_t i = 0; i < count; ++i)
    hard |= hardRead(writes[i * step], reads[i * step], first + static_cast<std::uint32_t>(i >> shift), user);
  if (hard != 0) return false;
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) reads[i * step] = withOne(reads[i * step], first + static_cast<std::uint32_t>(i >> shift), user);
  return true;
}

template <class Step>
LANEWISE_IN_LOOP bool readAll(Marks& marks, std::uint32_t cell, std::uint32_t count, Step step, std::uint32_t shift, std::uint32_t first,
                              User user) {
  Mark* const reads = marks.reads.all.data() + cell;
  if (marks.writes.newest < user.since) return readAll(reads, NoMarks{}, count, step, shift, first, user);
  return readAll(reads, marks.writes.all.data() + cell, count, step, shift, first, user);
}

LANEWISE_IN_LOOP bool anyAtomic(const Row& row, Mark since) {
  std::uint32_t any = 0;
  if (row.marks.atomics.newest >= since)
    for (std::uint32_t i = 0; i < row.count; ++i) any |= flag(row.marks.atomics.all[row.cell + i] >= since);
  return any != 0;
}

// The same for lanes if there are no atomics.
LANEWISE_IN_LOOP bool allRead(const Strided& at, const User& user) {
  return at.marks.atomics.newest < user.since &&
         readAll(at.marks, at.first, at.count, std::size_t{at.step}, 0, user.own + at.firstLane, user);
}
LANEWISE_IN_LOOP bool allRead(const Scattered&, const User&) {
  return false;
}

// Calls use(cell, own) for each lane; it returns whether the cell was hard.
template <class At, class Use>
LANEWISE_IN_LOOP LaneMask eachLane(const At& given, const User& user, const Use& use) {
  const At at = given;
  std::uint8_t isHard[kMaxLanes];
  std::uint32_t any = 0;
  for (std::uint32_t i = 0; i < at.count; ++i) {
    const std::uint32_t hard = use(at.cell(i), user.own + at.lane(i));
    isHard[i] = static_cast<std::uint8_t>(hard);
    any |= hard;
  }
  LaneMask hard;
  for (std::uint32_t i = 0; any != 0 && i < at.count; ++i)
    if (isHard[i] != 0) hard.set(i);
  return hard;
}

// For plain accesses: use(cell, own, hard), where `hard` says whether there were atomics.
template <class At, class Use>
LANEWISE_IN_LOOP LaneMask eachLaneBesideAtomics(const At& at, const User& user, const Use& use) {
  if (at.marks.atomics.newest < user.since)
    return eachLane(at, user, [=](std::uint32_t n, Mark own) LANEWISE_LAMBDA_IN_LOOP { return use(n, own, 0); });
  return eachLane(at, user, [=, atomics = at.marks.atomics.all.data()](std::uint32_t n, Mark own) LANEWISE_LAMBDA_IN_LOOP {
    return use(n, own, flag(atomics[n] >= user.since));
  });
}

LANEWISE_IN_LOOP bool rowRead(const Row& row, const User& user) {
  return !anyAtomic(row, user.since) && readAll(row.marks, row.cell, row.count, One{}, row.shift, user.own + row.lane, user);
}

LANEWISE_IN_LOOP bool rowWritten(const Row& row, const User& given) {
  const User user = given;
  Mark* const writes = row.marks.writes.all.data() + row.cell;
  const std::uint32_t count = row.count, shift = row.shift, first = user.own + row.lane;
  if (anyAtomic(row, user.since)) return false;
  std::uint32_t hard = 0;
  if (row.marks.reads.newest < user.since) {  // only stores
    for (std::uint32_t i = 0; i < count; ++i) hard |= hardWrite(writes[i], 0, first + (i >> shift), user);
    for (std::uint32_t i = 0; hard == 0 && i < count; ++i) writes[i] = first + (i >> shift);
    return hard == 0;
  }
  Mark* const reads = row.marks.reads.all.data() + row.cell;
  for (std::uint32_t i = 0; i < count; ++i) hard |= hardWrite(writes[i], reads[i], first + (i >> shift), user);
  if (hard != 0) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    writes[i] = first + (i >> shift);
    reads[i] = 0;
  }
  return true;
}

template <class At>
LANEWISE_IN_LOOP LaneMask eachRead(const At& at, const User& given) {
  if (allRead(at, given)) return {};
  const User user = given;
  Mark none = 0;
  Mark* const reads = at.marks.reads.all.data();
  const Column writes = columnOf(at.marks.writes, user, none);
  return eachLaneBesideAtomics(at, user, [=](std::uint32_t n, Mark own, std::uint32_t hard) LANEWISE_LAMBDA_IN_LOOP {
    const Mark r = reads[n];
    hard |= hardRead(writes[n], r, own, user);
    reads[n] = hard != 0 ? r : withOne(r, own, user);
    return hard;
  });
}

template <class At>
LANEWISE_IN_LOOP LaneMask eachWritten(const At& at, const User& given) {
  const User user = given;
  Mark none = 0;
  Mark* const writes = at.marks.writes.all.data();
  const Column reads = columnOf(at.marks.reads, user, none);
  return eachLaneBesideAtomics(at, user, [=](std::uint32_t n, Mark own, std::uint32_t hard) LANEWISE_LAMBDA_IN_LOOP {
    const Mark w = writes[n], r = reads[n];
    hard |= hardWrite(w, r, own, user);
    writes[n] = hard != 0 ? w : own;
    reads[n] = hard != 0 ? r : 0;
    return hard;
  });
}

template <class At>
LANEWISE_IN_LOOP LaneMask eachAtomic(const At& at, const User& given) {
  const User user = given;
  Mark none = 0;
  const Column reads = columnOf(at.marks.reads, user, none);
  const Column writes = columnOf(at.marks.writes, user, none);
  Mark* const atomics = at.marks.atomics.all.data();
  return eachLane(at, user, [=](std::uint32_t n, Mark own) LANEWISE_LAMBDA_IN_LOOP {
    const Mark a = atomics[n];
    const std::uint32_t hard = hardAtomic(writes[n], reads[n], a, own, user);
    atomics[n] = hard != 0 ? a : withOne(a, own, user);
    return hard;
  });
}

}  // namespace

bool readRow(const Row& row, const User& user) {
  return runWidest<&rowRead>(row, user);
}

bool writeRow(const Row& row, const User& user) {
  return runWidest<&rowWritten>(row, user);
}

template <class At>
LaneMask readEach(const At& at, const User& user) {
  return runWidest<&eachRead<At>>(at, user);
}

template <class At>
LaneMask writeEach(const At& at, const User& user) {
  return runWidest<&eachWritten<At>>(at, user);
}

template <class At>
LaneMask atomicEach(const At& at, const User& user) {
  return runWidest<&eachAtomic<At>>(at, user);
}

template LaneMask readEach(const Scattered&, const User&);
template LaneMask readEach(const Strided&, const User&);
template LaneMask writeEach(const Scattered&, const User&);
template LaneMask writeEach(const Strided&, const User&);
template LaneMask atomicEach(const Scattered&, const User&);
template LaneMask atomicEach(const Strided&, const User&);

bool readOne(Marks& marks, std::uint32_t cell, const User& user) {
  Mark& r = marks.reads.all[cell];
  if (marks.atomics.at(cell) >= user.since) return false;
  // A store is no longer easy because of its own lane.
  if (marks.writes.at(cell) >= user.since || hardRead(0, r, user.own, user) != 0) return false;
  r = withMany(r, user);
  return true;
}

bool atomicOne(Marks& marks, std::uint32_t cell, const User& user) {
  Mark& a = marks.atomics.all[cell];
  if (!user.commutes || hardAtomic(marks.writes.at(cell), marks.reads.at(cell), a, user.own, user) != 0) return false;
  a = withMany(a, user);
  return true;
}

}  // namespace lanewise::race
