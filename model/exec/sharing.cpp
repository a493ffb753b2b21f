#include "model/exec/sharing.h"

#include <cstring>

#include "model/exec/own_check.h"
#include "model/exec/ranges.h"
#include "model/ir/operation_info.h"
#include "model/operations/atomic_ops.h"

namespace lanewise {
namespace {

using ir::ResourceUse;

// The accesses to bytes of a resource of the job.
struct AccessGroup {
  PlaceRange range;
  std::vector<OwnCheck::Accessed> all;
};

// By resource of the job: every access of what is stored to is to a place of its workgroup's own.
std::vector<bool> ownResources(const BoundDispatch& bound, const std::vector<std::vector<PlaceRange>>& ranges, const OwnCheck& check) {
  const Program& program = *bound.program;
  std::vector<AccessGroup> groups;
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const ir::Code op = program.info[pc].op;
    const auto declared = program.resourceOf(pc);
    if (!declared || std::ranges::none_of(ranges[*declared], &PlaceRange::claimed)) continue;
    OwnCheck::Accessed accessed;  // of other accesses the place is not known
    if (op == ir::kStore || op == ir::kLoad || op == ir::kImageWrite || op == ir::kImageRead) accessed = OwnCheck::accessedBy(program, pc);
    for (const PlaceRange& range : ranges[*declared]) {
      if (!range.claimed || !mayAccess(program, pc, range)) continue;
      if (range.dimensions < 2) accessed.places[1] = {};
      groupOf(groups, range).all.push_back(accessed);
    }
  }
  std::vector<bool> own(bound.resources, true);
  for (const AccessGroup& g : groups)
    if (!isApart(groups, g) || !check.isOwn(g.all)) own[g.range.resource] = false;
  return own;
}

// Of a resource of the program that is bound to bytes from `begin` on: what atomics sum there whose results nobody uses, of any kind, but
// of one in each scalar. Empty: something else is done to it, or where is not known.
std::optional<std::vector<Sharing::Sum>> sumsOf(const Program& program, std::uint32_t resource, std::uint64_t begin,
                                                const OwnCheck& check) {
  std::vector<Sharing::Sum> out;
  const auto meets = [](const Sharing::Sum& a, const Sharing::Sum& b) { return a.begin < b.end && b.begin < a.end; };
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    if (program.resourceOf(pc) != resource) continue;
    const auto* atomic = std::get_if<kind::Atomic>(&program.code[pc].what);
    const spv::Op sum = atomic && program.code[pc].dst == 0 ? ir::sumOf(ir::codeOf(atomic->op)) : spv::Op::OpNop;
    const OwnCheck::Accessed accessed = OwnCheck::accessedBy(program, pc);
    if (sum == spv::Op::OpNop || accessed.places[0].size() != 1) return {};
    const std::uint32_t bytes = accessed.bytes;
    const auto ends = check.endsOf(accessed.places[0][0]);
    if (!ends || ends->first % bytes != 0) return {};
    Sharing::Sum one{sum, bytes, begin + ends->first, begin + ends->second + bytes};
    const auto isPart = [&](const Sharing::Sum& s) { return s.sum == sum && s.bytes == bytes && meets(s, one); };
    for (auto at = out.begin(); (at = std::ranges::find_if(out, isPart)) != out.end(); out.erase(at))
      one.begin = std::min(one.begin, at->begin), one.end = std::max(one.end, at->end);
    out.push_back(one);
  }
  for (auto a = out.begin(); a != out.end(); ++a)
    if (a->begin % a->bytes != 0 || std::any_of(std::next(a), out.end(), [&](const Sharing::Sum& b) { return meets(*a, b); })) return {};
  return out;
}

}  // namespace

std::optional<Sharing> sharingOf(const BoundDispatch& bound, bool hasBegun, OwnCheck::Of of) {
  const Program& program = *bound.program;
  const std::vector<ResourceUse>& uses = program.uses.all;
  if (program.uses.elsewhere) return {};
  std::optional<AccessedRanges> accessed = accessedRanges(bound, [](ir::Code op) { return op == ir::kStore || op == ir::kImageWrite; });
  if (!accessed) return {};
  auto& [ranges, stored] = *accessed;
  Sharing out;
  std::vector<ResourceUse> own(bound.resources);  // by resource of the job
  std::vector<bool> claimed(uses.size()), loaded(bound.resources), fixed(uses.size());
  for (std::size_t r = 0; r < uses.size(); ++r) {
    claimed[r] = std::ranges::any_of(ranges[r], &PlaceRange::claimed);
    fixed[r] = hasBegun && !claimed[r];
  }
  const OwnCheck check(bound, program, fixed, of);
  std::vector<std::optional<std::vector<Sharing::Sum>>> sums(bound.resources);  // of several kinds
  for (std::size_t r = 0; r < uses.size(); ++r) {
    const ResourceUse& use = uses[r];
    if ((use.how & ResourceUse::kOrdered) != 0) {
      const bool mayBeSums = use.how == (ResourceUse::kSums | ResourceUse::kOrdered) && ranges[r].size() == 1;
      auto all = mayBeSums ? sumsOf(program, static_cast<std::uint32_t>(r), ranges[r][0].begin, check) : std::nullopt;
      if (!all || sums[ranges[r][0].resource]) return {};
      sums[ranges[r][0].resource] = std::move(all);
      continue;
    }
    if (claimed[r] && (use.how & ResourceUse::kSamples) != 0) return {};
    for (const PlaceRange& range : ranges[r]) {
      ResourceUse& all = own[range.resource];
      all.add(use);
      if (claimed[r]) all.unit = std::min(all.unit, range.unit);
      if (claimed[r] && (use.how & ResourceUse::kLoads) != 0) loaded[range.resource] = true;
      if ((use.how & ResourceUse::kSums) != 0 && range.begin % use.sumBytes != 0) return {};
    }
  }
  const std::vector<bool> isOwn = ownResources(bound, ranges, check);
  for (std::uint32_t r = 0; r < own.size(); ++r) {
    const ResourceUse& u = own[r];
    if ((u.how & ResourceUse::kOrdered) != 0 || ((u.how & ResourceUse::kSums) != 0 && u.how != ResourceUse::kSums)) return {};
    if (sums[r] && u.how != 0) return {};
    if (sums[r]) out.summed.push_back({r, std::move(*sums[r])});
    if (u.how == ResourceUse::kSums) out.summed.push_back({r, {{u.sum, u.sumBytes}}});
    if ((u.how & ResourceUse::kStores) != 0) out.stored.push_back({r, u.unit, loaded[r], isOwn[r]});
  }
  std::erase_if(stored,
                [&](const PlaceRange& range) { return std::ranges::find(out.stored, range.resource, &Sharing::Stored::resource)->own; });
  if (stored.empty() || !hasBegun) return out;
  out.code = program.code;
  for (std::uint32_t pc = 0; pc < out.code.size(); ++pc)
    if (const auto r = program.resourceOf(pc); r && claimed[*r] && meet(ranges[*r], stored)) out.code[pc].run = program.observed[pc].run;
  return out;
}

std::vector<std::uint32_t> storesTo(const BoundDispatch& bound, std::span<const std::uint32_t> resources) {
  const Program& program = *bound.program;
  std::vector<bool> leads(program.resources.size());
  for (std::size_t r = 0; r < leads.size(); ++r)
    leads[r] = std::ranges::any_of(rangesOf(bound, r, false), [&](const PlaceRange& range) {
      return std::ranges::find(resources, range.resource) != resources.end();
    });
  std::vector<std::uint32_t> out;
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const ir::Access* access = program.accessOf(pc);
    if (ir::factsOf(program.info[pc].op).effect != ir::Effect::kActs || (!access && !program.imageAccessOf(pc))) continue;
    const std::optional<std::uint32_t> r = program.resourceOf(pc);
    const bool isPointer = access && (access->space == ir::Space::kPhysical || access->space == ir::Space::kVariable);
    if (r ? leads[*r] : isPointer) out.push_back(pc);
  }
  return out;
}

namespace {

// A lane may come there more than once.
bool isInLoop(const Program& program, std::uint32_t pc) {
  for (std::uint32_t at = pc; at < program.code.size(); ++at)
    if (program.earliestNext(at) <= pc) return true;
  return false;
}

// Whether all that is stored is stored to places of its own, or by one instruction that a lane executes once, and nobody loads it.
bool storesHideOrder(const BoundDispatch& bound, OwnCheck::Of of) {
  const Program& program = *bound.program;
  const std::optional<Sharing> sharing = sharingOf(bound, false, of);
  return sharing && std::ranges::all_of(sharing->stored, [&](const Sharing::Stored& s) {
           if (s.own || s.loaded) return s.own;
           const std::vector<std::uint32_t> all = storesTo(bound, std::span(&s.resource, 1));
           return all.size() == 1 && !isInLoop(program, all[0]);
         });
}

}  // namespace

bool hidesOrderTogether(const BoundDispatch& bound) {
  return storesHideOrder(bound, OwnCheck::Of::kWorkgroups);
}

bool hidesOrderOfLanes(const BoundDispatch& bound) {
  const Program& program = *bound.program;
  for (std::uint32_t pc = 0; pc < program.info.size(); ++pc) {
    const ir::Code op = program.info[pc].op;
    const ir::Access* access = program.accessOf(pc);
    if (op == ir::kSubgroup || op == ir::kControlBarrier || op == ir::kReadClock) return false;
    if (access && access->space == ir::Space::kWorkgroup) return false;
  }
  return storesHideOrder(bound, OwnCheck::Of::kInvocations);
}

std::vector<Instr> codeOfStores(const BoundDispatch& bound, std::span<const std::uint32_t> resources) {
  std::vector<Instr> out = bound.program->code;
  for (const std::uint32_t pc : storesTo(bound, resources)) out[pc].run = bound.program->observed[pc].run;
  return out;
}

std::uint64_t emptySum(const Sharing::Sum& s) {
  return ir::identityOf(ir::factsOf(ir::factsOf(s.sum).fold).identity, 8 * s.bytes);
}

namespace {

template <class T>
void joinAs(spv::Op sum, std::span<std::byte> to, std::span<const std::byte> from) {
  withFold<T>(sum, [&]<ir::Code By, bool One>() {
    for (std::size_t at = 0; at + sizeof(T) <= to.size(); at += sizeof(T)) {
      T a, b;
      std::memcpy(&a, &to[at], sizeof(T));
      std::memcpy(&b, &from[at], sizeof(T));
      a = foldedBy<By>({}, a, b);
      std::memcpy(&to[at], &a, sizeof(T));
    }
  });
}

}  // namespace

void join(const Sharing::Sum& s, std::span<std::byte> to, std::span<const std::byte> from) {
  s.bytes == 8 ? joinAs<std::uint64_t>(s.sum, to, from) : joinAs<std::uint32_t>(s.sum, to, from);
}

}  // namespace lanewise
