#include "model/debug/evaluate.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/debug/advice.h"
#include "model/debug/arithmetic.h"
#include "model/debug/built_ins.h"
#include "model/debug/matrix.h"
#include "model/memory/texel_access.h"
#include "model/scalar/half.h"

namespace lanewise::debug {

ScalarValue widened(ScalarValue v) {
  const auto keep = [&](Scalar type, std::uint64_t bits) {
    v.type = type;
    v.bits = v.state == ScalarValue::State::kKnown ? bits : 0;
    return v;
  };
  switch (v.type) {
    case Scalar::kF16:
      return keep(Scalar::kF32, std::bit_cast<std::uint32_t>(scalar::toFloat(scalar::Half{static_cast<std::uint16_t>(v.bits)})));
    case Scalar::kI8:
      return keep(Scalar::kI32, v.isSigned ? static_cast<std::uint32_t>(static_cast<std::int8_t>(v.bits)) : v.bits);
    case Scalar::kI16:
      return keep(Scalar::kI32, v.isSigned ? static_cast<std::uint32_t>(static_cast<std::int16_t>(v.bits)) : v.bits);
    default:
      return v;
  }
}

namespace {

using Kind = Expression::Kind;
using State = ScalarValue::State;

Error wrong(const Expression& at, std::string what, std::string hint = "") {
  return {Outcome::kBadInput, std::move(what), fmt::format("column {}", at.column), std::move(hint)};
}

std::optional<Tuple> tupleOf(const LaneValue& value) {
  const bool isVector = value.type() && value.type()->kind == Type::Kind::kVector && value.count() <= 4;
  if (!value.isScalar() && !isVector) return {};
  Tuple out;
  if (value.isScalar()) out.parts.push_back(widened(value.scalar()));
  for (std::uint64_t i = 0; isVector && i < value.count(); ++i) out.parts.push_back(widened(value.part(i).scalar()));
  out.type = out.parts[0].type;
  out.isSigned = out.parts[0].isSigned;
  return out;
}

// The bytes of all its scalars; empty if it has none or too many.
std::optional<std::pair<std::uint64_t, std::uint64_t>> bytesOf(const LaneValue& value) {
  if (value.isScalar()) {
    const std::uint64_t size = value.isOwn() ? (isWide(value.type()->scalar) ? 8 : 4) : std::max(1u, scalarBytes(value.scalar().type));
    return std::pair(value.byte(), value.byte() + size);
  }
  std::optional<std::pair<std::uint64_t, std::uint64_t>> all;
  const std::uint64_t count = value.count();
  for (std::uint64_t i = 0; i < count; i += i + 2 < count && count > 64 ? count - 2 : 1)
    if (const auto part = bytesOf(value.part(i)))
      all = all ? std::pair(std::min(all->first, part->first), std::max(all->second, part->second)) : *part;
  return all;
}

const Type& imageTypeOf(const LaneValue& image) {
  const ir::ResourceDeclaration& r = *image.resource();
  return r.kind == ir::ResourceDeclaration::Kind::kCombined ? *r.type->element : *r.type;
}

bool isRow(const Type& image) {
  return image.dim == spv::Dim::Dim1D || image.dim == spv::Dim::Buffer;
}

class Evaluator {
 public:
  explicit Evaluator(const Scope& scope) : s_(scope) {}

  Expected<Value> value(const Expression& e) const {
    switch (e.kind) {
      case Kind::kInteger:
        return of(Tuple{e.isWide ? Scalar::kI64 : Scalar::kI32, !e.isUnsigned, {}}, {e.bits});
      case Kind::kFloat:
        return e.isWide
                   ? of(Tuple{Scalar::kF64, true, {}}, {e.bits})
                   : of(Tuple{Scalar::kF32, true, {}}, {std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(e.bits)))});
      case Kind::kBool:
        return of(Tuple{Scalar::kBool, false, {}}, {e.bits});
      case Kind::kName:
        return name(e);
      case Kind::kMember:
        return member(e);
      case Kind::kIndex:
        return index(e);
      case Kind::kChoice:
        return choice(e);
      default:
        return computed(e);
    }
  }

  Expected<Tuple> tuple(const Expression& e) const {
    Expected<Value> v = value(e);
    if (!v) return v.error();
    if (!v->tuple) return wrong(e, "this is neither a number nor a vector", "name a part of it");
    return std::move(*v->tuple);
  }

 private:
  static Value of(Tuple t, std::vector<std::uint64_t> bits) {
    for (const std::uint64_t b : bits) t.parts.push_back({State::kKnown, t.type, t.isSigned, b});
    Value v;
    v.tuple = std::move(t);
    return v;
  }

  Value of(const LaneValue& variable) const {
    Value v;
    v.tuple = tupleOf(variable);
    v.variable = variable;
    const auto bytes = variable.home() == LaneValue::Home::kMemory || variable.isOwn() ? bytesOf(variable) : std::nullopt;
    if (!bytes) return v;
    Region r;
    r.begin = bytes->first;
    r.end = bytes->second;
    r.who = {s_.lane.env->dispatch, s_.lane.env->group, s_.lane.batch ? s_.lane.batch->index : 0, s_.lane.lane};
    if (variable.isOwn()) {
      r.place = Place::kLaneMemory;
    } else if (const auto resource = variable.resourceIndex()) {
      r.place = Place::kBuffer;
      r.resource = *resource;
    } else if (variable.isWorkgroupMemory()) {
      r.place = Place::kWorkgroup;
    } else {
      r.place = Place::kPush;
    }
    v.region = r;
    return v;
  }

  const SourceVariable* inFrame(const SourceFrame& frame, std::string_view name) const {
    for (const SourceVariable& v : frame.variables)
      if (!v.isHidden && s_.places->source().of(v).name == name) return &v;
    return nullptr;
  }

  // A variable of the function, or a built-in one.
  std::optional<Value> ofLane(std::string_view name) const {
    const std::vector<SourceFrame>& frames = s_.places->frames(s_.pc);
    if (s_.frame < frames.size())
      if (const SourceVariable* v = inFrame(frames[s_.frame], name)) return of(s_.places->source().read(*v, s_.lane));
    std::optional<Tuple> own = builtInValue(name, s_.lane);
    if (!own) return {};
    Value v;
    v.tuple = std::move(own);
    return v;
  }

  std::optional<Value> variable(std::string_view name) const {
    const SourceVariables& source = s_.places->source();
    if (s_.lane.batch)
      if (std::optional<Value> own = ofLane(name)) return own;
    for (const SourceVariable& v : source.globals()) {
      const LaneValue value = source.read(v, s_.lane);
      if (!s_.lane.batch && !value.resource()) continue;
      if (source.of(v).name == name) return of(value);
      if (!source.of(v).name.empty()) continue;
      for (std::uint64_t i = 0; i < value.count(); ++i)  // a block without a name is its members
        if (value.memberName(i) == name) return of(value.part(i));
    }
    for (const SourceVariable& v : source.globals()) {  // or has its type's name
      const LaneValue value = source.read(v, s_.lane);
      const ir::ResourceDeclaration* r = value.resource();
      if (r && r->type && r->type->kind == Type::Kind::kStruct && s_.places->program().module.nameOf(r->type->id) == name) return of(value);
    }
    return {};
  }

  Expected<Value> name(const Expression& e) const {
    if (std::optional<Value> v = variable(e.text)) return std::move(*v);
    if (const auto resource = resourceOfJob(s_, e.text)) {
      if (isImageOfJob(*resource)) return at(e, wholeImage(s_, *resource));
      const Expected<LaneValue> bound = variableOfJob(s_, *resource);
      return bound ? Expected<Value>(of(*bound)) : at(e, bound.error());
    }
    if (s_.absent) return *s_.absent;
    for (const spirv::DebugVariable& v : s_.places->source().debug().variables)
      if (v.name == e.text && v.declared.line != 0)
        return wrong(e, fmt::format("the variable '{}' of line {} is not in scope here", e.text, v.declared.line), textOf(Advice::kNames));
    return wrong(e, fmt::format("there is no variable '{}' here", e.text), textOf(Advice::kNames));
  }

  bool isImageOfJob(std::uint32_t resource) const { return std::holds_alternative<ImageData>(s_.job->resources[resource].data); }

  // The image of the job that is named, if a variable has not that name.
  std::optional<std::uint32_t> imageOfJob(const Expression& e) const {
    const auto resource = e.kind == Kind::kName && !variable(e.text) ? resourceOfJob(s_, e.text) : std::nullopt;
    return resource && isImageOfJob(*resource) ? resource : std::nullopt;
  }

  static Error at(const Expression& e, Error error) {
    error.where = fmt::format("column {}", e.column);
    return error;
  }

  // A caller's variable: "main.cell".
  std::optional<Value> inCaller(const Expression& e) const {
    const Expression& of = e.parts[0];
    if (!s_.lane.batch || of.kind != Kind::kName || variable(of.text)) return {};
    for (const SourceFrame& f : s_.places->frames(s_.pc)) {
      if (s_.places->source().debug().scopes[f.function].name != of.text) continue;
      if (const SourceVariable* v = inFrame(f, e.text)) return this->of(s_.places->source().read(*v, s_.lane));
    }
    return {};
  }

  // What a device address leads to, with its members or elements.
  Expected<Value> pointee(const Expression& e, const LaneValue& address, std::uint64_t i = 0) const {
    const LaneValue there = address.pointee(i);
    return there.isGone() ? Expected<Value>(wrong(e, "this address leads to no buffer")) : of(there);
  }

  Expected<Value> member(const Expression& e) const {
    if (std::optional<Value> v = inCaller(e)) return std::move(*v);
    Expected<Value> from = value(e.parts[0]);
    if (from && from->variable && from->variable->isAddress()) from = pointee(e, *from->variable);
    if (!from) return from.error();
    if (from->variable && from->variable->type() && from->variable->type()->kind == Type::Kind::kStruct) {
      std::string names;
      for (std::uint64_t i = 0; i < from->variable->count(); ++i) {
        const std::string own(from->variable->memberName(i));
        if (own == e.text) return of(from->variable->part(i));
        names += (names.empty() ? "" : ", ") + own;
      }
      return wrong(e, fmt::format("there is no member '{}'", e.text), "it has " + names);
    }
    if (!from->tuple || from->tuple->columns != 0) return wrong(e, fmt::format("'.{}' asks for a structure or a vector", e.text));
    return swizzle(e, *from);
  }

  Expected<Value> swizzle(const Expression& e, const Value& from) const {
    Tuple out{from.tuple->type, from.tuple->isSigned, {}};
    std::size_t last = 0;
    for (const std::string_view set : {"xyzw", "rgba", "stpq"}) {
      out.parts.clear();
      for (const char c : e.text) {
        const std::size_t i = set.find(c);
        if (i == std::string_view::npos || i >= from.tuple->parts.size()) break;
        out.parts.push_back(from.tuple->parts[last = i]);
      }
      if (out.parts.size() != e.text.size() || e.text.size() > 4) continue;
      if (out.parts.size() == 1 && from.variable && from.variable->type()->kind == Type::Kind::kVector)
        return of(from.variable->part(last));
      Value v;
      v.tuple = std::move(out);
      if (!from.variable) v.region = from.region;  // the whole texel
      return v;
    }
    return wrong(e, fmt::format("'.{}' names no components of a vector of {}", e.text, from.tuple->parts.size()));
  }

  Expected<std::vector<std::int64_t>> indices(const Expression& e) const {
    std::vector<std::int64_t> out;
    for (std::size_t i = 1; i < e.parts.size(); ++i) {
      const Expected<Tuple> t = tuple(e.parts[i]);
      if (!t) return t.error();
      if (isFloat(t->type) || t->type == Scalar::kBool) return wrong(e.parts[i], "an index is an integer");
      for (const ScalarValue& v : t->parts) {
        if (v.state != State::kKnown) return wrong(e.parts[i], "the index is not known: it was not written yet, or is optimised away");
        out.push_back(asInteger(v));
      }
    }
    return out;
  }

  // The buffer that HLSL indexes is in SPIR-V a block with nothing but an array.
  static std::optional<LaneValue> arrayIn(const Value& value) {
    const bool isBlock = value.variable && value.variable->resource() && value.variable->type() &&
                         value.variable->type()->kind == Type::Kind::kStruct && value.variable->count() == 1;
    const std::optional<LaneValue> only = isBlock ? std::optional(value.variable->part(0)) : std::nullopt;
    const bool isArray =
        only && only->type() && (only->type()->kind == Type::Kind::kArray || only->type()->kind == Type::Kind::kRuntimeArray);
    return isArray ? only : std::nullopt;
  }

  Expected<Value> index(const Expression& e) const {
    if (const auto image = imageOfJob(e.parts[0])) {
      const Expected<std::vector<std::int64_t>> texel = indices(e);
      if (!texel) return texel.error();
      Expected<Value> v = texelOfJob(s_, *image, *texel);
      return v ? std::move(v) : Expected<Value>(at(e, v.error()));
    }
    Expected<Value> from = value(e.parts[0]);
    if (!from) return from.error();
    const Expected<std::vector<std::int64_t>> given = indices(e);
    if (!given) return given.error();
    if (from->variable && from->variable->isAddress()) {
      const Type::Kind to = from->variable->type()->element->kind;  // an array's or matrix's index is its own
      if (to != Type::Kind::kArray && to != Type::Kind::kRuntimeArray && to != Type::Kind::kMatrix)
        return elementAt(e, *from->variable, *given);
      if (from = pointee(e, *from->variable); !from) return from.error();
    }
    if (const auto array = arrayIn(*from)) from = of(*array);
    const bool isImage = from->variable && from->variable->home() == LaneValue::Home::kOpaque && from->variable->count() == 0;
    if (isImage) return texel(e, *from->variable, *given);
    if (given->size() != 1) return wrong(e, "one index is meant here");
    const std::int64_t i = (*given)[0];
    const bool isMatrix = !from->variable && from->tuple && from->tuple->columns != 0;
    const std::uint64_t count = from->variable ? from->variable->count()
                                : isMatrix     ? from->tuple->columns
                                : from->tuple  ? from->tuple->parts.size()
                                               : 0;
    if (count == 0 && from->variable && from->variable->isGone()) return wrong(e, "it is optimised away");
    if (count == 0) return wrong(e, "this has no elements");
    if (i < 0 || static_cast<std::uint64_t>(i) >= count) return wrong(e, fmt::format("index {} of {}", i, count));
    if (from->variable && from->variable->type()->kind == Type::Kind::kStruct) return wrong(e, "a structure has members, by name");
    if (from->variable) return of(from->variable->part(static_cast<std::uint64_t>(i)));
    if (isMatrix) return of(columnOf(*from->tuple, static_cast<std::size_t>(i)), {});
    return of(Tuple{from->tuple->type, from->tuple->isSigned, {from->tuple->parts[static_cast<std::size_t>(i)]}}, {});
  }

  Expected<Value> elementAt(const Expression& e, const LaneValue& address, const std::vector<std::int64_t>& given) const {
    if (given.size() != 1) return wrong(e, "one index is meant here");
    if (given[0] > 0 && !address.pointeeStride()) return wrong(e, "the module does not say how far apart the elements there are");
    if (given[0] < 0) return wrong(e, fmt::format("index {} of what a pointer leads to", given[0]));
    return pointee(e, address, static_cast<std::uint64_t>(given[0]));
  }

  Expected<Value> texel(const Expression& e, const LaneValue& image, const std::vector<std::int64_t>& at) const {
    const ImageView* view = viewOf(image, s_.lane);
    if (!view) return wrong(e, "no image is bound there");
    const std::vector<std::uint32_t> counts = texelsOf(image, s_.lane);
    if (counts.empty()) return wrong(e, "texels of several samples are not shown yet");
    if (at.size() != counts.size()) return wrong(e, fmt::format("a texel of this image has {} coordinates", counts.size()));
    for (std::size_t i = 0; i < at.size(); ++i)
      if (at[i] < 0 || at[i] >= counts[i]) return wrong(e, fmt::format("texel {} of {}", fmt::join(at, ","), fmt::join(counts, "x")));
    const Type& type = imageTypeOf(image);
    const std::int64_t x = at[0], y = isRow(type) ? 0 : at[1], z = at.size() > (isRow(type) ? 1u : 2u) ? at.back() : 0;
    const Environment& env = *s_.lane.env;
    const TexelPlace place{view->data + static_cast<std::uint64_t>(z) * view->sliceBytes + static_cast<std::uint64_t>(y) * view->rowBytes +
                               static_cast<std::uint64_t>(x) * view->format->texelBytes,
                           view, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z)};
    Value v;
    v.tuple = texelTuple(*view->format, env.profile->texel, place.data);
    v.texel = view->format;
    Region region;
    region.place = type.dim == spv::Dim::Buffer ? Place::kBuffer : Place::kImage;
    region.resource = view->resource;
    region.begin = place.tightOffset(*view);
    region.end = region.begin + view->format->texelBytes;
    v.region = region;
    if (isPoison({place.data, view->format->texelBytes}) && s_.lane.written &&
        !s_.lane.written->isWritten(region.place, region.resource, env.group, region.begin, region.end))
      for (ScalarValue& part : v.tuple->parts) part.state = State::kNotWritten;
    return v;
  }

  Expected<Value> choice(const Expression& e) const {
    const Expected<Tuple> which = tuple(e.parts[0]);
    if (!which) return which.error();
    if (which->isVector()) return wrong(e.parts[0], "a choice asks for one boolean");
    if (which->parts[0].state != State::kKnown) return of(Tuple{which->type, which->isSigned, which->parts}, {});
    return value(e.parts[which->parts[0].bits != 0 ? 1 : 2]);
  }

  // What the left side alone decides, as in GLSL: the right one may have no value then.
  std::optional<Value> decidedByLeft(const Expression& e) const {
    const bool isOr = e.op == Operator::kEither;
    if (!isOr && e.op != Operator::kBoth) return {};
    const Expected<Value> left = value(e.parts[0]);
    if (!left || !left->tuple || left->tuple->isVector()) return {};
    const ScalarValue& l = left->tuple->parts[0];
    if (l.type != Scalar::kBool || l.state != State::kKnown || (l.bits != 0) != isOr) return {};
    return of(Tuple{Scalar::kBool, false, {}}, {l.bits});
  }

  Expected<Value> computed(const Expression& e) const {
    if (std::optional<Value> decided = decidedByLeft(e)) return std::move(*decided);
    std::vector<Tuple> arguments;
    bool hasMatrix = false;
    for (const Expression& part : e.parts) {
      Expected<Value> given = value(part);
      if (!given) return given.error();
      std::optional<Tuple> t = std::move(given->tuple);
      if (!t && given->variable) t = matrixOf(*given->variable, widened);
      if (!t) return wrong(part, "this is neither a number nor a vector or matrix", "name a part of it");
      hasMatrix = hasMatrix || t->columns != 0;
      arguments.push_back(std::move(*t));
    }
    const OpRows& rows = s_.places->rows(*s_.lane.env->profile);
    Expected<Tuple> result = hasMatrix                 ? ofMatrices(rows, e, arguments)
                             : e.kind == Kind::kUnary  ? unary(rows, e.op, arguments[0])
                             : e.kind == Kind::kBinary ? binary(rows, e.op, arguments[0], arguments[1])
                                                       : call(rows, e.text, arguments);
    if (!result) {
      result.error().where = fmt::format("column {}", e.column);
      return result.error();
    }
    Value v;
    v.tuple = std::move(*result);
    return v;
  }

  const Scope& s_;
};

}  // namespace

std::vector<std::uint32_t> texelsOf(const LaneValue& image, const LaneState& lane) {
  const ImageView* view = viewOf(image, lane);
  if (!view || view->samples > 1) return {};
  const Type& type = imageTypeOf(image);
  std::vector<std::uint32_t> out{view->extent.x};
  if (!isRow(type)) out.push_back(view->extent.y);
  if (type.arrayed || type.dim == spv::Dim::Dim3D || type.dim == spv::Dim::Cube) out.push_back(view->extent.z);
  return out;
}

Expected<Value> evaluate(const Expression& expression, const Scope& scope) {
  return Evaluator(scope).value(expression);
}

Expected<bool> isTrue(const Expression& expression, const Scope& scope) {
  const Expected<Tuple> t = Evaluator(scope).tuple(expression);
  if (!t) return t.error();
  if (t->isVector()) return wrong(expression, "a condition is one boolean or number", "all() and any() make one of a vector");
  const Expected<Tuple> truth = call(scope.places->rows(*scope.lane.env->profile), "bool", std::span(&*t, 1));
  if (!truth) return truth.error();
  return truth->parts[0].state == State::kKnown && truth->parts[0].bits != 0;
}

namespace {

bool isUnwrittenPart(const LaneValue& v) {
  if (v.isScalar()) return v.scalar().state == State::kNotWritten;
  const std::uint64_t count = v.count();
  for (std::uint64_t i = 0; i < count; ++i)
    if (!isUnwrittenPart(v.part(i))) return false;
  return count != 0;
}

}  // namespace

bool isUnwritten(const Value& value) {
  return value.variable && value.variable->isOwn() && isUnwrittenPart(*value.variable);
}

}  // namespace lanewise::debug
