// The sieve lets no race through (sieved.h): on every text program, and on random events that no program need have. LANEWISE_RANDOM_EVENTS
// chooses how many sequences of these.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <random>

#include "tests/model/check/sieved.h"
#include "tests/text/program_job.h"

namespace lanewise::text {
namespace {

using U = std::uint32_t;

class Sieved : public testing::TestWithParam<std::string> {};

TEST_P(Sieved, TellsWhatACheckerTellsThatLooksEverywhere) {
  const ProgramText program = wholeProgram(GetParam());
  if (program.errorOutcome) return;
  const Job& job = program.job;
  for (const char* schedule : {"in-order", "interleave:seed:3@2", "lanes-reverse"}) {
    const SievedRun run = expectSieved(job, schedule, 1 << 16);
    if (GetParam().ends_with("_mended.comp")) {
      EXPECT_FALSE(run.suspects) << "a second run for nothing";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Sieved, testing::ValuesIn(programFiles()), [](const auto& instance) {
  std::string name = instance.param;
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

// Random events of workgroups that are resident together: loads, stores and atomics of a few words of two buffers and of workgroup
// memory, in many orders; barriers and fences; two dispatches, with and without a barrier between them.
class RandomEvents {
 public:
  static constexpr U kWords = 8, kBatches = 2, kWidth = 32, kSlots = 2, kBorder = 4u << kMostPlaceBits;  // of two pages
  explicit RandomEvents(U seed) : base_(seed % 16 == 0 ? kBorder - kWords * 2 : 0), random_(seed) {
    using Mask = spv::MemorySemanticsMask;
    const auto bit = [](auto mask) { return static_cast<U>(mask); };
    job_.resources = {{"a", BufferData{std::vector<std::byte>(kWords * 4)}, false, true},
                      {"b", BufferData{std::vector<std::byte>(base_ + kWords * 4)}, false, true}};
    job_.dispatches.resize(2);
    job_.dispatches[1].barrierBefore = pick(2) == 0;
    program_.batches = kBatches;
    program_.width = kWidth;
    program_.subgroupSize = 16;
    program_.invocations = kBatches * kWidth;
    program_.localSize[0] = program_.invocations;
    program_.workgroupBytes = kWords * 4;
    program_.origins.resize(1);
    program_.module.instructions.resize(1);
    for (U variable = 1; variable <= 2; ++variable) {
      ir::ResourceDeclaration r;
      r.binding = r.variable = variable;
      program_.resources.push_back(r);
      for (Dispatch& d : job_.dispatches) {
        Binding b;
        b.binding = variable;
        b.resource = job_.resources[variable - 1].name;
        d.bindings.push_back(b);
        d.groups = {8, 1, 1};
      }
    }
    // Orders: private; as `coherent` has it, to a workgroup and to all; non-private alone; atomics.
    const auto order = [](U flags, spv::Scope scope, U semantics) {
      ir::Order o;
      o.flags = flags;
      o.scope = o.available = o.visible = static_cast<U>(scope);
      o.semantics = semantics;
      return o;
    };
    constexpr U kNonPrivate = ir::Order::kNonPrivate, kShared = kNonPrivate | ir::Order::kMakeAvailable | ir::Order::kMakeVisible,
                kAtomic = kShared | ir::Order::kAtomic;
    const U all = bit(Mask::UniformMemory) | bit(Mask::WorkgroupMemory), both = bit(Mask::AcquireRelease) | all,
            made = both | bit(Mask::MakeAvailable) | bit(Mask::MakeVisible);
    const U kind = pick(4);
    const bool odd = kind < 2;  // what GLSL's workgroup memory never is
    const std::vector<ir::Order> buffers{order(0, spv::Scope::Invocation, 0), order(kShared, spv::Scope::Device, 0),
                                         order(kShared, spv::Scope::Workgroup, 0), order(kNonPrivate, spv::Scope::Invocation, 0)};
    const std::vector<ir::Order> workgroup = kind == 0 ? buffers : std::vector{buffers[kind == 1 ? 3 : 2]};
    const std::vector<ir::Order> atomics{order(kAtomic, spv::Scope::Device, 0), order(kAtomic, spv::Scope::Device, both),
                                         order(kAtomic, spv::Scope::Workgroup, made), order(kAtomic, spv::Scope::Subgroup, 0)};
    for (U variable = 1; variable <= 3; ++variable) {
      const ir::Space space = variable == 3 ? ir::Space::kWorkgroup : ir::Space::kBuffer;
      for (const ir::Order& o : space == ir::Space::kWorkgroup ? workgroup : buffers)
        for (const ir::Code op : {ir::Code{ir::kLoad}, ir::Code{ir::kStore}}) access(op, o, space, variable, spv::Op::OpNop);
      for (const ir::Order& o : atomics)
        for (const spv::Op op : {spv::Op::OpAtomicIAdd, spv::Op::OpAtomicLoad, spv::Op::OpAtomicStore})
          if (odd || space == ir::Space::kBuffer || o.scope == static_cast<U>(spv::Scope::Device))
            access(ir::kAtomic, o, space, variable, op);
    }
    accesses_ = static_cast<U>(program_.info.size());
    for (const auto& [op, scope, semantics] :
         {std::tuple{ir::kControlBarrier, spv::Scope::Workgroup, bit(Mask::AcquireRelease) | all},
          {ir::kControlBarrier, spv::Scope::Workgroup, made},
          {ir::kControlBarrier, spv::Scope::Workgroup, bit(Mask::AcquireRelease) | bit(Mask::WorkgroupMemory)},
          {ir::kControlBarrier, spv::Scope::Subgroup, made},
          {ir::kMemoryBarrier, spv::Scope::Device, both},
          {ir::kMemoryBarrier, spv::Scope::Workgroup, made}}) {
      ir::Order o = order(0, scope, semantics);
      o.execution = o.scope;
      add(op, o, {});
    }
  }

  const Job& job() const { return job_; }

  // The same events for the same seed.
  void tell(const std::vector<Observer*>& observers, U seed) {
    random_.seed(seed);
    observers_ = observers;
    Environment envs[kSlots];
    Batch batches[kSlots][kBatches];
    for (U dispatch = 0; dispatch < 2; ++dispatch) {
      U next = 0;
      for (U slot = 0; slot < kSlots; ++slot) {
        for (Batch& b : batches[slot]) {
          b.env = &envs[slot];
          b.index = static_cast<U>(&b - batches[slot]);
          b.width = kWidth;
        }
        begin(envs[slot], dispatch, slot, next++);
      }
      for (U n = 2 + pick(12); n > 0; --n) {
        const U slot = pick(kSlots);
        if (next < 8 && pick(12) == 0) {
          say(WorkgroupEnds{envs[slot]});
          begin(envs[slot], dispatch, slot, next++);
        } else if (pick(4) == 0) {
          phase(batches[slot], pick(3));
        } else if (pick(3) != 0)
          accessNow(batches[slot][pick(kBatches)]);
        else
          synchronise(batches[slot]);
      }
      // Some runs end in the middle.
      for (U slot = 0; (dispatch == 0 || seed % 4 != 0) && slot < kSlots; ++slot) say(WorkgroupEnds{envs[slot]});
    }
  }

 private:
  U pick(U below) { return static_cast<U>(random_()) % below; }
  void say(const Moment& m) {
    for (Observer* o : observers_) o->moment(m);
  }
  U add(ir::Code op, const ir::Order& order, InstrKind what) {
    InstrInfo info;
    info.op = op;
    info.order = static_cast<U>(program_.orders.size());
    program_.orders.push_back(order);
    program_.info.push_back(info);
    program_.code.emplace_back().what = what;
    return info.order;
  }
  void access(ir::Code op, const ir::Order& order, ir::Space space, U variable, spv::Op atomic) {
    ir::Access a;
    a.space = space;
    a.variable = variable;
    program_.accesses.push_back(a);
    const auto index = static_cast<U>(program_.accesses.size() - 1);
    add(op, order, op == ir::kAtomic ? InstrKind(kind::Atomic{index, atomic, 1}) : InstrKind(kind::Memory{index}));
  }
  void begin(Environment& env, U dispatch, U slot, U group) {
    env.program = &program_;
    env.descriptors = &noDescriptors_;
    env.groups = {8, 1, 1};
    env.group = {group, 0, 0};
    env.dispatch = dispatch;
    env.slot = slot;
    if (group == 0) say(DispatchBegins{env});
    say(WorkgroupBegins{env});
  }
  void accessNow(const Batch& batch) {
    const U pc = pick(accesses_);
    const ir::Access& a = *program_.accessOf(pc);
    const ir::Code op = program_.info[pc].op;
    const AccessKind kind = op == ir::kLoad    ? AccessKind::kRead
                            : op == ir::kStore ? AccessKind::kWrite
                                               : atomicKind(static_cast<spv::Op>(program_.codeOf(pc)));
    const U resource = a.space == ir::Space::kWorkgroup ? 0 : a.variable - 1;
    const std::uint64_t base = resource == 1 ? base_ : 0;
    const auto word = [&] { return base + pick(kWords) * 4; };
    const std::uint64_t list[3] = {word(), word(), word()};
    const U lane = pick(4) == 0 ? pick(kWidth - kWords) : pick(2);
    const LaneRun shapes[] = {{lane, 1, resource, 4, 0, word()},
                              {lane, kWords, resource, 4, 4, base},
                              {lane, 4, resource, 8, 8, base},
                              {lane, 5, resource, 4, 0, word()},
                              {lane, 3, resource, 4, 8, base + pick(2) * 4},
                              {lane, 3, resource, 4, 0, list[0], list},
                              {lane, 4, resource, 1, 1, base + pick(kWords * 4 - 4)},
                              {lane, 2, resource, 2, 2, word()},
                              {lane, 4, resource, 4, 8, base}};
    const LaneRun& run = shapes[isAtomic(kind) ? pick(2) * 3 : pick(std::size(shapes))];
    const std::vector<std::byte> values(std::size_t{run.count} * run.size);
    const Place place = a.space == ir::Space::kWorkgroup ? Place::kWorkgroup : Place::kBuffer;
    for (Observer* o : observers_) {
      const bool wanted = (o->watches() & watch::kValues) != 0;
      const std::span<const std::byte> told = wanted ? std::span(values) : std::span<const std::byte>();
      o->access({batch, pc, place, kind, a.variable, {}, {&run, 1}, {}, told, told});
    }
  }
  // One of a few sequences of accesses between barriers: most phases of a kernel come again.
  void phase(const Batch (&batches)[kBatches], U which) {
    const std::mt19937 outside = std::exchange(random_, std::mt19937(which));
    for (U n = 1 + pick(4); n > 0; --n) accessNow(batches[pick(kBatches)]);
    random_ = outside;
    if (pick(4) != 0)
      for (const Batch& b : batches) say(BarrierReleased{b, accesses_, everybody(), spv::Scope::Workgroup});
  }
  static LaneMask everybody() {
    LaneMask lanes;
    lanes.word[0] = 0xffffffff;
    return lanes;
  }
  void synchronise(const Batch (&batches)[kBatches]) {
    const U pc = accesses_ + pick(static_cast<U>(program_.info.size()) - accesses_);
    LaneMask lanes = everybody();
    const spv::Scope scope{program_.orders[program_.info[pc].order].scope};
    if (program_.info[pc].op == ir::kMemoryBarrier) {
      const U some[] = {0xffffffff, 1, 0xff, 0xffff0000, pick(~0u) | 1};
      lanes.word[0] = some[pick(std::size(some))];
      return say(FencePassed{batches[pick(kBatches)], pc, lanes});
    }
    if (scope == spv::Scope::Subgroup) return say(BarrierReleased{batches[pick(kBatches)], pc, lanes, scope});
    for (const Batch& b : batches) say(BarrierReleased{b, pc, lanes, scope});
  }

  const std::uint64_t base_;  // of the places in the second buffer: of a few seeds they are in two pages
  std::mt19937 random_;
  Job job_;
  Program program_;
  DescriptorRange noDescriptors_;
  U accesses_ = 0;
  std::vector<Observer*> observers_;
};

TEST(Sieve, LetsNothingThroughOfRandomEvents) {
  const char* const given = std::getenv("LANEWISE_RANDOM_EVENTS");
  const U count = given ? static_cast<U>(std::strtoul(given, nullptr, 10)) : 6'000;
  U racy = 0, clean = 0, spared = 0;
  for (U seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    RandomEvents events(seed);
    race::Sieve sieve(events.job()), plain(events.job(), HostLevel::kBase);
    race::RaceChecker everywhere(events.job());
    events.tell({&sieve, &plain, &everywhere}, seed);
    const race::Suspects &wide = sieve.suspects(), &narrow = plain.suspects();
    forPlaces(events.job(), RandomEvents::kWords * 4, [&](Place place, U resource, std::uint64_t byte) {
      ASSERT_EQ(wide.has(place, resource, byte), narrow.has(place, resource, byte)) << "loops for wide vectors, byte " << byte;
    });
    const race::Suspects others = outside(events.job(), sieve.suspects(), RandomEvents::kWords * 4);
    race::RaceChecker there(events.job(), &sieve.suspects()), elsewhere(events.job(), &others);
    events.tell({&there, &elsewhere}, seed);
    ASSERT_EQ(textsOf(events.job(), there), textsOf(events.job(), everywhere));
    ASSERT_THAT(textsOf(events.job(), elsewhere), testing::IsEmpty());
    ++(everywhere.races().empty() ? clean : racy);
    if (!sieve.suspects().any()) ++spared;
  }
  EXPECT_GT(racy, count / 6);
  EXPECT_GT(spared, clean / 2) << "a sieve that keeps everything";
}

}  // namespace
}  // namespace lanewise::text
