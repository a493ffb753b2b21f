// Questions about the session: where it is, its source, its invocations, its variables.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "model/state/workgroup.h"
#include "tools/debug/named_value.h"
#include "tools/debug/text.h"
#include "tools/web/face.h"

namespace lanewise::web {
namespace {

Json listOf(Extent3 e) {
  return {e.x, e.y, e.z};
}

const char* whyName(debug::Why why) {
  using Why = debug::Why;
  switch (why) {
    case Why::kBreakpoint:
      return "breakpoint";
    case Why::kFinding:
      return "finding";
    case Why::kFault:
      return "fault";
    case Why::kInterrupted:
      return "interrupted";
    case Why::kEnd:
      return "end";
    case Why::kWriter:
    case Why::kBlit:
      return "writer";
    default:
      return "step";
  }
}

// For a scale of colours: the first component. Nothing: it is not known, or no number.
Json numberOf(const debug::Value& v) {
  if (!v.tuple || v.tuple->parts[0].state != ScalarValue::State::kKnown) return {};
  const ScalarValue& s = v.tuple->parts[0];
  double d = 0;
  if (s.type == Scalar::kF32)
    d = std::bit_cast<float>(static_cast<std::uint32_t>(s.bits));
  else if (s.type == Scalar::kF64)
    d = std::bit_cast<double>(s.bits);
  else if (s.type == Scalar::kI64)
    d = s.isSigned ? static_cast<double>(static_cast<std::int64_t>(s.bits)) : static_cast<double>(s.bits);
  else
    d = s.isSigned && s.type != Scalar::kBool ? static_cast<double>(static_cast<std::int32_t>(s.bits)) : static_cast<double>(s.bits);
  return std::isfinite(d) ? Json(d) : Json();
}

}  // namespace

// What stays the same.
Face::Answer Face::job(Arguments&) {
  Json dispatches = Json::array(), resources = Json::array(), files = Json::array();
  for (std::uint32_t d = 0; d < session().job().dispatches.size(); ++d) {
    const Dispatch& one = session().job().dispatches[d];
    const std::uint32_t* local = session().placesOf(d).program().localSize;
    dispatches.push_back({{"groups", listOf(one.groups)},
                          {"local", {local[0], local[1], local[2]}},
                          {"module", one.module->name},
                          {"entry", one.entryPoint}});
  }
  for (const Resource& r : session().job().resources) {
    Json one{{"name", r.name}, {"bytes", r.bytes().size()}, {"undefined", r.undefined}};
    if (const auto* image = std::get_if<ImageData>(&r.data)) {
      one["format"] = formatInfo(image->format)->name;
      one["components"] = formatInfo(image->format)->components;
      for (std::uint32_t l = 0; l < image->levels; ++l) {
        const Extent3 e = image->levelExtent(l);
        one["levels"].push_back({e.x, e.y, image->dimensions == 3 ? e.z : image->layers * image->samples});
      }
    }
    resources.push_back(std::move(one));
  }
  for (std::size_t i = 0; i < sources_.count(); ++i) files.push_back(sources_.pathOf(i));
  return told(200, {{"subject", opened_->subject.name},
                    {"dispatches", std::move(dispatches)},
                    {"resources", std::move(resources)},
                    {"files", std::move(files)}});
}

Json Face::frames(const debug::Standing& at) {
  Json out = Json::array();
  const debug::Places& places = session().places();
  for (const SourceFrame& f : places.frames(places.lined(at.pc))) {
    Json one{{"function", functionName(places, f)}, {"line", f.line.line}};
    if (const auto file = sources_.numberOf(places, f.line)) one["file"] = *file;
    out.push_back(std::move(one));
  }
  return out;
}

Json Face::breakpoints() {
  Json out = Json::array();
  for (const debug::Breakpoint& b : session().breakpoints()) {
    Json one{
        {"number", b.number}, {"text", breakpointText(b)}, {"enabled", b.isEnabled}, {"condition", b.condition ? b.condition->source : ""}};
    if (const auto place = session().placeOf(b); place && b.what == debug::Breakpoint::What::kLine) {
      const debug::Places& places = session().placesOf(place->first);
      const spirv::SourceLine line = places.frames(place->second)[0].line;
      one["line"] = line.line;
      if (const auto file = sources_.numberOf(places, line)) one["file"] = *file;
    }
    out.push_back(std::move(one));
  }
  return out;
}

// Where the session is.
Json Face::now() {
  const debug::Time time = session().time();
  const debug::Standing at = session().standing();
  Json out{{"time", {time.dispatch, time.opened, session().atEnd() ? Json() : Json(time.step)}},
           {"atEnd", session().atEnd()},
           {"why", whyName(session().stop().why)},
           {"focus", listOf(session().focus())},
           {"standing", standingText(session(), at)},
           {"open", at.state != debug::Standing::State::kNotOpen},
           {"breakpoints", breakpoints()},
           {"hasFindings", session().knowsFindings()},
           {"frame", shell_->frame()}};
  if (const auto steps = steps_.find({time.dispatch, time.opened}); steps != steps_.end()) out["steps"] = steps->second;
  if (!at.hasPlace()) return out;
  out["place"] = placeText(session().places(), at.pc);
  out["frames"] = frames(at);
  out["address"] = dap::addressText(instructions_.addressOf(session().program(), at.pc));
  return out;
}

Face::Answer Face::source(Arguments& a) {
  const auto file = static_cast<std::size_t>(a.number("file"));
  if (a.bad()) return *a.bad();
  if (file >= sources_.count()) return Error{Outcome::kBadInput, fmt::format("there is no file {}", file), "", ""};
  return told(200, {{"text", sources_.textOf(file)}, {"lines", dap::linesWithCode(session(), sources_.pathOf(file))}});
}

// Instructions around the one that comes next, as an editor asks for them.
Face::Answer Face::disassembly(Arguments& a) {
  const std::string address = a.text("address");
  const std::int64_t first = a.numberOr("first", 0, -100'000, 100'000), count = a.number("count", 0, 2000);
  if (a.bad()) return *a.bad();
  const Expected<std::uint64_t> at = dap::parseAddress(address);
  if (!at) return at.error();
  return told(200, {{"instructions", instructions_.list(*at, first, count, sources_)}});
}

// The invocations of the workgroup, in the order of their index: x first. With an expression its value in each of them.
Face::Answer Face::grid(Arguments& a) {
  const std::string text = a.textOr("expression");
  const bool hex = a.flagOr("hex", false);
  if (a.bad()) return *a.bad();
  std::optional<debug::Expression> e;
  if (!text.empty()) {
    Expected<debug::Expression> parsed = debug::parseExpression(text);
    if (!parsed) return parsed.error();
    e = std::move(*parsed);
  }
  const Program& p = session().program();
  const std::vector<Extent3> all = session().invocations();
  Json out{{"shape", {p.localSize[0], p.localSize[1], p.localSize[2]}}, {"first", listOf(all[0])}, {"subgroupSize", p.subgroupSize}};
  std::string states;
  std::vector<std::string> places;
  std::optional<Error> wrong;
  bool anyValue = false;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const debug::Standing at = session().standing(all[i]);
    states += standingLetter(at.state);
    const std::string place = standingText(session(), at);
    const auto known = std::ranges::find(places, place);
    out["at"].push_back(known - places.begin());
    if (known == places.end()) places.push_back(place);
    out["subgroups"].push_back(p.subgroupOf(p.placeOf(i)));
    if (!e) continue;
    const Expected<debug::Value> v = session().evaluate(*e, all[i], all[i] == session().focus() ? shell_->frame() : 0);
    anyValue |= v.ok();
    if (!v && (!wrong || all[i] == session().focus())) wrong = v.error();
    out["values"].push_back(v ? valueText(*v, hex) : "-");
    out["numbers"].push_back(v ? numberOf(*v) : Json());
  }
  if (wrong && !anyValue) return *wrong;
  out["states"] = states;
  out["places"] = places;
  return told(200, out);
}

Face::Answer Face::scopes(Arguments&) {
  Expected<std::vector<Json>> all = variables_->scopes({session().focus(), shell_->frame()});
  if (!all) return all.error();
  return told(200, {{"scopes", std::move(*all)}});
}

// As an editor asks for them; `version` is that of the answer which had the reference.
Face::Answer Face::variables(Arguments& a) {
  const std::int64_t version = a.number("version");
  if (a.bad()) return *a.bad();
  if (version != static_cast<std::int64_t>(version_)) return Error{Outcome::kBadInput, "the run went on", "", ""};
  Expected<Json> all = variables_->list(a);
  if (!all) return all.error();
  return told(200, *all);
}

Expected<debug::Value> Face::valueOf(const std::string& expression, Extent3 of) {
  return lanewise::valueOf(session(), expression, of, of == session().focus() ? shell_->frame() : 0);
}

// "ivec2 at = (12, 7)": of each expression, or why it has none.
Face::Answer Face::value(Arguments& a) {
  const std::vector<std::string> all = a.texts("expressions");
  const bool hex = a.flagOr("hex", false);
  if (a.bad()) return *a.bad();
  Json out = Json::array();
  for (const std::string& text : all) {
    const Expected<debug::Value> v = valueOf(text, session().focus());
    out.push_back(v ? Json{{"type", typeText(*v, hex)}, {"value", valueText(*v, hex)}} : Json{{"error", v.error().what}});
  }
  return told(200, {{"values", std::move(out)}});
}

Face::Answer Face::completions(Arguments& a) {
  const std::string line = a.text("line");
  if (a.bad()) return *a.bad();
  return told(200, {{"completions", shell_->completions(line)}});
}

// Those of the whole run, once they were looked for.
Face::Answer Face::findings(Arguments&) {
  Json out = Json::array();
  if (!session().knowsFindings()) return told(200, {{"known", false}, {"findings", std::move(out)}});
  const auto all = session().findings();
  if (!all) return all.error();
  for (const debug::TimedFinding& f : **all)
    out.push_back({{"text", f.finding.text()}, {"time", {f.time.dispatch, f.time.opened, f.time.step}}});
  return told(200, {{"known", true}, {"findings", std::move(out)}});
}

}  // namespace lanewise::web
