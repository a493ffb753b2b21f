#include "model/exec/sharing.h"

#include <functional>

#include "model/ir/operation_info.h"
#include "model/scalar/integer.h"

namespace lanewise {
namespace {

using ir::ResourceUse;
using ir::Sum;

// Bytes of a resource of the job that a descriptor leads to.
struct Range {
  std::uint32_t resource = 0;
  std::uint64_t begin = 0, end = 0;
  std::uint32_t unit = 16;       // a texel's bytes
  std::uint32_t dimensions = 1;  // of a place there
  bool meets(const Range& other) const { return resource == other.resource && begin < other.end && other.begin < end; }
};

// Of all that are stored to: each is compared with each that is accessed.
constexpr std::size_t kMostRanges = 256, kMostAccessed = 4096;

// Of all descriptors of a resource of the program.
std::vector<Range> rangesOf(const BoundDispatch& bound, std::size_t declared, bool levels) {
  std::vector<Range> out;
  const DescriptorRange range = bound.descriptors[declared];
  for (std::uint32_t i = range.first; i < range.first + range.count; ++i) {
    if (const BufferView& buffer = bound.buffers[i]; buffer.data)
      out.push_back({buffer.resource, buffer.offset, buffer.offset + buffer.size});
    const ImageView& image = bound.images[i];
    if (!image.data) continue;
    const std::uint32_t texel = image.format->texelBytes;
    for (std::uint32_t l = 0; l < (levels ? image.levels : 1); ++l) {
      const ImageLevel& level = image.chain ? image.chain[l] : image;
      const std::uint64_t bytes = std::uint64_t{level.extent.x} * level.extent.y * level.extent.z * texel;
      out.push_back({image.resource, level.offset, level.offset + bytes, std::bit_floor(texel), image.dimensions});
    }
  }
  return out;
}

bool meet(const std::vector<Range>& a, const std::vector<Range>& b) {
  return std::ranges::any_of(a, [&](const Range& x) { return std::ranges::any_of(b, [&](const Range& y) { return x.meets(y); }); });
}

// What an instruction accesses: a resource of the program.
std::optional<std::uint32_t> resourceOf(const Program& program, std::uint32_t pc) {
  if (const ir::Access* access = program.accessOf(pc))
    return access->space == ir::Space::kBuffer ? std::optional(access->resource) : std::nullopt;
  const ir::ImageAccess* image = program.imageAccessOf(pc);
  return image ? std::optional(image->resource) : std::nullopt;
}

// What the accesses to a resource of the job have in common.
struct CommonPlace {
  bool any = false;
  bool texels = false;
  std::uint64_t begin = 0;
  std::array<ir::OwnPlace, 2> place;

  void add(bool isTexel, const Range& range, std::array<ir::OwnPlace, 2> found) {
    if (range.dimensions < 2) found[1] = {};
    const bool same = !any || (texels == isTexel && (begin == range.begin || range.dimensions > 1));
    for (int c = 0; c < 2; ++c) place[c] = same && (!any || place[c] == found[c]) ? found[c] : ir::OwnPlace{};
    any = true;
    texels = isTexel;
    begin = range.begin;
  }
  // Workgroups that differ differ in the place.
  bool isOwn(const Extent3& groups) const {
    const std::uint32_t count[] = {groups.x, groups.y, groups.z};
    const auto tells = [&](int axis) {
      return std::ranges::any_of(place, [&](const ir::OwnPlace& p) {
        return p.axis == axis + 1 && std::uint64_t{p.stride} * count[axis] <= std::uint64_t{1} << 32;
      });
    };
    return (count[0] <= 1 || tells(0)) && (count[1] <= 1 || tells(1)) && (count[2] <= 1 || tells(2));
  }
};

// `claimed`: by resource of the program, whether what is loaded there may be stored to.
std::vector<CommonPlace> commonPlaces(const BoundDispatch& bound, const std::vector<std::vector<Range>>& ranges,
                                      const std::vector<bool>& claimed) {
  const Program& program = *bound.program;
  std::vector<CommonPlace> out(bound.resources);
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const ir::Code op = program.info[pc].op;
    const auto declared = resourceOf(program, pc);
    const bool stores = op == ir::kStore || op == ir::kImageWrite, texel = program.imageAccessOf(pc) != nullptr;
    if (!declared || op == ir::kImageQuery || op == ir::kArrayLength || (!stores && !claimed[*declared])) continue;
    std::array<ir::OwnPlace, 2> place;  // of other accesses it is not known
    if (op == ir::kStore || op == ir::kLoad)
      place[0] = program.ownPlaces.words[program.code[pc].as<kind::Memory>().access];
    else if (op == ir::kImageWrite)
      place = program.ownPlaces.texels[program.code[pc].as<kind::Image>().access];
    for (const Range& range : ranges[*declared]) out[range.resource].add(texel, range, place);
  }
  return out;
}

}  // namespace

std::optional<Sharing> sharingOf(const BoundDispatch& bound, bool withCode) {
  const Program& program = *bound.program;
  const std::vector<ResourceUse>& uses = program.uses.all;
  if (program.uses.elsewhere) return {};
  std::vector<std::vector<Range>> ranges;
  std::vector<Range> stored;
  std::size_t accessed = 0;
  for (std::size_t r = 0; r < uses.size(); ++r) {
    ranges.push_back(rangesOf(bound, r, uses[r].levels));
    accessed += ranges[r].size();
    if ((uses[r].how & ResourceUse::kStores) != 0) stored.insert(stored.end(), ranges[r].begin(), ranges[r].end());
  }
  if (stored.size() > kMostRanges || accessed > kMostAccessed) return {};
  Sharing out;
  std::vector<ResourceUse> own(bound.resources);  // by resource of the job
  std::vector<bool> claimed(uses.size()), loaded(bound.resources);
  for (std::size_t r = 0; r < uses.size(); ++r) {
    const ResourceUse& use = uses[r];
    claimed[r] = meet(ranges[r], stored);
    if ((use.how & ResourceUse::kOrdered) != 0 || (claimed[r] && (use.how & ResourceUse::kSamples) != 0)) return {};
    for (const Range& range : ranges[r]) {
      ResourceUse& all = own[range.resource];
      all.add(use);
      if (claimed[r]) all.unit = std::min(all.unit, range.unit);
      if (claimed[r] && (use.how & ResourceUse::kLoads) != 0) loaded[range.resource] = true;
      if ((use.how & ResourceUse::kSums) != 0 && range.begin % use.sumBytes != 0) return {};
    }
  }
  const std::vector<CommonPlace> places = commonPlaces(bound, ranges, claimed);
  for (std::uint32_t r = 0; r < own.size(); ++r) {
    const ResourceUse& u = own[r];
    if ((u.how & ResourceUse::kOrdered) != 0 || ((u.how & ResourceUse::kSums) != 0 && u.how != ResourceUse::kSums)) return {};
    if (u.how == ResourceUse::kSums) out.summed.push_back({r, u.sum, u.sumBytes});
    if ((u.how & ResourceUse::kStores) != 0) out.stored.push_back({r, u.unit, loaded[r], places[r].isOwn(bound.dispatch->groups)});
  }
  std::erase_if(stored, [&](const Range& range) { return std::ranges::find(out.stored, range.resource, &Sharing::Stored::resource)->own; });
  if (stored.empty() || !withCode) return out;
  out.code = program.code;
  for (std::uint32_t pc = 0; pc < out.code.size(); ++pc)
    if (const auto r = resourceOf(program, pc); r && claimed[*r] && meet(ranges[*r], stored)) out.code[pc].run = program.observed[pc].run;
  return out;
}

std::vector<std::uint32_t> storesTo(const BoundDispatch& bound, std::span<const std::uint32_t> resources) {
  const Program& program = *bound.program;
  std::vector<bool> leads(program.resources.size());
  for (std::size_t r = 0; r < leads.size(); ++r)
    leads[r] = std::ranges::any_of(rangesOf(bound, r, false),
                                   [&](const Range& range) { return std::ranges::find(resources, range.resource) != resources.end(); });
  std::vector<std::uint32_t> out;
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const ir::Access* access = program.accessOf(pc);
    if (ir::factsOf(program.info[pc].op).effect != ir::Effect::kActs || (!access && !program.imageAccessOf(pc))) continue;
    const std::optional<std::uint32_t> r = resourceOf(program, pc);
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

}  // namespace

bool hidesOrderTogether(const BoundDispatch& bound) {
  const Program& program = *bound.program;
  const std::optional<Sharing> sharing = sharingOf(bound, false);
  return sharing && std::ranges::all_of(sharing->stored, [&](const Sharing::Stored& s) {
           if (s.own || s.loaded) return s.own;
           const std::vector<std::uint32_t> all = storesTo(bound, std::span(&s.resource, 1));
           return all.size() == 1 && !isInLoop(program, all[0]);
         });
}

std::vector<Instr> codeOfStores(const BoundDispatch& bound, std::span<const std::uint32_t> resources) {
  std::vector<Instr> out = bound.program->code;
  for (const std::uint32_t pc : storesTo(bound, resources)) out[pc].run = bound.program->observed[pc].run;
  return out;
}

std::uint64_t emptySum(Sum sum, std::uint32_t bytes) {
  const std::uint64_t all = bytes == 8 ? ~std::uint64_t{0} : 0xffffffffu;
  switch (sum) {
    case Sum::kAnd:
    case Sum::kUMin:
      return all;
    case Sum::kSMin:
      return all >> 1;
    case Sum::kSMax:
      return all ^ all >> 1;
    default:
      return 0;
  }
}

namespace {

template <class T>
void joinAs(Sum sum, std::span<std::byte> to, std::span<const std::byte> from) {
  const auto by = [&](const auto& two) {
    for (std::size_t at = 0; at + sizeof(T) <= to.size(); at += sizeof(T)) {
      T a, b;
      std::memcpy(&a, &to[at], sizeof(T));
      std::memcpy(&b, &from[at], sizeof(T));
      a = two(a, b);
      std::memcpy(&to[at], &a, sizeof(T));
    }
  };
  switch (sum) {
    case Sum::kNone:
      return;
    case Sum::kAdd:
      return by(scalar::iAdd<T>);
    case Sum::kAnd:
      return by(std::bit_and<T>());
    case Sum::kOr:
      return by(std::bit_or<T>());
    case Sum::kXor:
      return by(std::bit_xor<T>());
    case Sum::kUMin:
      return by(scalar::uMin<T>);
    case Sum::kUMax:
      return by(scalar::uMax<T>);
    case Sum::kSMin:
      return by(scalar::sMin<T>);
    case Sum::kSMax:
      return by(scalar::sMax<T>);
  }
}

}  // namespace

void join(Sum sum, std::uint32_t bytes, std::span<std::byte> to, std::span<const std::byte> from) {
  bytes == 8 ? joinAs<std::uint64_t>(sum, to, from) : joinAs<std::uint32_t>(sum, to, from);
}

}  // namespace lanewise
