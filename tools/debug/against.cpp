// `against`: this run beside the golden, a device or another run of the model. `reload`: the subject compiled again.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "model/parting.h"
#include "tools/debug/named_value.h"
#include "tools/debug/shell.h"
#include "tools/debug/text.h"
#include "tools/debug/words.h"
#include "tools/run/job_place.h"

namespace lanewise {

namespace {

Error noFace(const std::string& command) {
  return {Outcome::kUnsupported, "this session does not know its subject", command, "start the program again"};
}

// Where two resources differ, as whole values: texels or words.
std::vector<debug::ByteRange> rangesOf(std::uint32_t resource, std::span<const std::byte> a, std::span<const std::byte> b,
                                       std::uint64_t unit) {
  std::vector<debug::ByteRange> out;
  const std::uint64_t size = std::min(a.size(), b.size());
  for (std::uint64_t at = 0; at < size; at += unit) {
    const std::uint64_t end = std::min(at + unit, size);
    if (std::equal(a.begin() + static_cast<std::ptrdiff_t>(at), a.begin() + static_cast<std::ptrdiff_t>(end),
                   b.begin() + static_cast<std::ptrdiff_t>(at)))
      continue;
    if (!out.empty() && out.back().end == at)
      out.back().end = end;
    else
      out.push_back({resource, at, end});
  }
  return out;
}

std::uint64_t unitOf(const Resource& r) {
  const auto* image = std::get_if<ImageData>(&r.data);
  return image ? formatInfo(image->format)->texelBytes : 4;
}

// The first dispatches of a job, whose outputs are all resources.
Job beginningOf(const Job& job, std::size_t dispatches) {
  Job out = job;
  out.dispatches.resize(dispatches);
  std::erase_if(out.blits, [&](const Blit& b) { return dispatches < job.dispatches.size() && b.before >= dispatches; });
  for (Resource& r : out.resources) r.output = true;
  return out;
}

// The first instruction that gives an invocation another result in `own` than in `other`; nothing where too much runs.
std::optional<Parting> partingFrom(const OpenedSession& other, const OpenedSession& own) {
  const auto optionsOf = [](const OpenedSession& s) {
    const Expected<Way> way = wayOf(s.subject, s.arguments.profile, s.arguments.schedule);
    return way ? ModelOptions{.profile = way->profile, .schedule = way->schedule} : ModelOptions();
  };
  const ModelOptions there = optionsOf(other), here = optionsOf(own);
  return partingOf({other.subject.job, there}, {own.subject.job, here});
}

// "data[i]": what it names depends on where the run stands.
bool hasIndexByName(const std::string& text) {
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (depth > 0 && (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_')) return true;
  }
  return false;
}

}  // namespace

Status DebugShell::against(const std::string& rest) {
  if (!face_.opened) return noFace("against");
  const std::string word = firstWord(rest).first;
  if (word == "golden") return againstGolden();
  if (word == "profile" || word == "schedule" || word == "subgroup-size") return againstRun(rest);
  if (word.empty())
    return Error{Outcome::kBadInput, "nothing is named to compare with", "against",
                 "golden, a device, or profile NAME, schedule TOKEN, subgroup-size N"};
  return againstDevice(rest);
}

// Goes to the store that comes first of the last stores to the bytes that differ.
Status DebugShell::firstWriterOf(const std::vector<debug::ByteRange>& bytes, const std::string& whose) {
  std::uint64_t count = 0;
  for (const debug::ByteRange& b : bytes) count += b.end - b.begin;
  const Resource& r = s_->job().resources[bytes[0].resource];
  print_(fmt::format("{} bytes differ from {}, the first in '{}': {}", count, whose, r.name, placeOf(s_->job(), r, bytes[0].begin).name));
  const Expected<debug::Stop> stop = s_->toFirstWriter(bytes);
  if (stop && stop->why == debug::Why::kNothing) {
    print_("nobody writes any of them in this run");
    return {};
  }
  watched_.erase(0);  // it is told by its name
  return moved(stop);
}

Status DebugShell::againstGolden() {
  const Expected<std::optional<Expectation>> expected = knownResultOf(face_.opened->subject);
  if (!expected) return expected.error();
  if (!*expected)
    return Error{Outcome::kBadInput, "nothing says what the outputs have to be", "against golden", "a kernel, a case or a capsule"};
  if (const Expected<debug::Stop> stop = s_->toEnd(); !stop || stop->error) return stop ? moved(stop) : Status(stop.error());
  if (!s_->atEnd()) return moved(s_->stop());
  RunResult run;
  std::vector<std::uint32_t> which;
  for (std::uint32_t i = 0; i < s_->resources().size(); ++i)
    if (s_->resources()[i].output) {
      run.outputs.push_back(s_->resources()[i]);
      which.push_back(i);
    }
  const Expected<Judged> judged = judge(**expected, run);
  if (!judged) return judged.error();
  if (!judged->wrong) {
    print_("the outputs are as expected");
    return {};
  }
  std::vector<debug::ByteRange> bytes;
  const bool isExact = (**expected).high.empty() && (**expected).contract.tolerance == 0;
  for (std::size_t i = 0; i < which.size() && i < (**expected).images.size(); ++i) {
    const Resource& r = s_->resources()[which[i]];
    if (isExact) std::ranges::move(rangesOf(which[i], r.bytes(), (**expected).images[i].bytes, unitOf(r)), std::back_inserter(bytes));
  }
  if (bytes.empty()) {  // the evidence alone
    const std::uint32_t resource = which[judged->wrong->output];
    std::vector<golden::TexelDiff> wrong = judged->wrong->diff.worst;
    if (judged->wrong->diff.first) wrong.push_back(*judged->wrong->diff.first);
    for (const golden::TexelDiff& t : wrong)
      if (const Expected<debug::Region> texel = s_->regionOf(resource, std::array<std::uint64_t, 2>{t.x, t.y}, t.level))
        bytes.push_back({resource, texel->begin, texel->end});
  }
  if (bytes.empty()) return Error{Outcome::kUnsupported, "what differs is at no place of an output", "against golden", ""};
  return firstWriterOf(bytes, "the golden");
}

// Dispatch by dispatch, until the device has other bytes.
Status DebugShell::againstDevice(const std::string& device) {
  if (!face_.opened->runOn) return Error{Outcome::kUnsupported, "no devices can be run here", "against", ""};
  const Job& job = s_->job();
  for (std::size_t count = 1; count <= job.dispatches.size(); ++count) {
    const Job part = beginningOf(job, count);
    const RunResult theirs = [&] {
      Expected<RunResult> run = face_.opened->runOn(device, part, face_.opened->subject);
      RunResult failed;
      if (!run) failed.error = run.error();
      return run ? std::move(*run) : std::move(failed);
    }();
    if (theirs.error) return theirs.error;
    Expected<Execution> own = face_.opened->model->start(part);
    if (!own) return own.error();
    if (Status bad = own->run()) return bad;
    const std::vector<Resource> ours = own->takeOutputs();
    std::vector<debug::ByteRange> bytes;
    for (std::uint32_t i = 0; i < ours.size() && i < theirs.outputs.size(); ++i)
      std::ranges::move(rangesOf(i, ours[i].bytes(), theirs.outputs[i].bytes(), unitOf(ours[i])), std::back_inserter(bytes));
    if (bytes.empty()) continue;
    if (job.dispatches.size() > 1) print_(fmt::format("they differ after dispatch {}, and not before", count - 1));
    const bool isLast = count == job.dispatches.size();
    const Expected<debug::Stop> stop = isLast ? s_->toEnd() : s_->toTime({static_cast<std::uint32_t>(count), 0, 0});
    if (!stop) return stop.error();
    if (stop->why == debug::Why::kInterrupted) return moved(stop);
    return firstWriterOf(bytes, device);
  }
  print_(fmt::format("{} has the same bytes, after every dispatch", device));
  return {};
}

// "profile lavapipe schedule reverse": another run of the model.
Status DebugShell::againstRun(const std::string& rest) {
  SessionArguments how = face_.opened->arguments;
  for (std::string left = rest; !left.empty();) {
    const auto [what, more] = firstWord(left);
    const auto [value, behind] = firstWord(more);
    left = behind;
    if (what == "profile") how.profile = value;
    if (what == "schedule") how.schedule = value;
    const Expected<std::uint64_t> size = what == "subgroup-size" ? countOf(value, 0) : Expected<std::uint64_t>(0u);
    if (!size) return size.error();
    if (what == "subgroup-size") how.subject.subgroupSize = static_cast<std::uint32_t>(*size);
    if (value.empty() || (what != "profile" && what != "schedule" && what != "subgroup-size"))
      return Error{Outcome::kBadInput, fmt::format("'{}' says no other way to run", what), "against",
                   "profile NAME, schedule TOKEN, subgroup-size N"};
  }
  Expected<std::unique_ptr<OpenedSession>> opened = openForDebugging(how);
  if (!opened) return opened.error();
  other_.reset();
  otherRun_ = std::move(*opened);
  other_ = std::make_unique<DebugShell>(*otherRun_->session, [this](const std::string& line) { print_("| " + line); });
  other_->face_.writesFiles = face_.writesFiles;
  const Expected<std::optional<debug::Departure>> parting = s_->part(*otherRun_->session);
  if (!parting) return parting.error();
  if (!*parting) {
    print_("every invocation does the same there: the same instructions access the same places with the same bytes");
    return moved(s_->stop());
  }
  if ((**parting).isByOrder) return againstOrder();
  print_(fmt::format("the runs part at invocation {}", invocationText((**parting).invocation)));
  if (!(**parting).isWhole) print_("so much differs that an earlier place may have been missed");
  watched_.erase(0);
  if ((**parting).ends) print_("it does nothing more here");
  if (!(**parting).ends) showStop();
  if ((**parting).otherEnds) print_("| it does nothing more there");
  if (!(**parting).otherEnds) other_->showStop();
  tellParting();
  print_("`other COMMAND` looks at the other run");
  return {};
}

// The instruction to blame, where it is not the access at which the runs stand: a profile may change what is computed long before.
void DebugShell::tellParting() {
  const std::optional<debug::Hit> hit = s_->stop().hit;
  const std::optional<Parting> parting = partingFrom(*otherRun_, *face_.opened);
  if (parting && hit && !sameLine(parting->at, s_->program().instructionPlace(hit->pc)))
    print_(fmt::format("there, and here: {}", parting->text));
}

// Each invocation does the same in the other run, and both are at their ends. There bytes differ, by the order of stores: both go to who
// stored to the first of them last.
Status DebugShell::againstOrder() {
  debug::Session& other = *otherRun_->session;
  std::vector<debug::ByteRange> bytes;
  for (std::uint32_t i = 0; i < s_->resources().size(); ++i) {
    const Resource& own = s_->resources()[i];
    std::ranges::move(rangesOf(i, own.bytes(), other.resources()[i].bytes(), unitOf(own)), std::back_inserter(bytes));
  }
  print_("every invocation does the same there, but their stores come in another order");
  if (Status bad = firstWriterOf(bytes, "the other run")) return bad;
  const std::optional<debug::Hit> hit = s_->stop().hit;
  if (!hit || !hit->isAccess) return {};
  if (Status bad = other_->moved(other.toWriter({hit->place, hit->resource, {}, hit->byte, hit->byte + hit->after.size(), ""}))) return bad;
  print_("`other COMMAND` looks at the other run");
  return {};
}

Status DebugShell::other(const std::string& rest) {
  if (!other_) return Error{Outcome::kBadInput, "there is no other run", "other", "`against schedule reverse` makes one"};
  return other_->execute(rest) ? Status{} : Status(Error{Outcome::kBadInput, "so it was in the other run", "", ""});
}

// To the n-th time that an invocation comes to a line.
Expected<debug::Stop> DebugShell::comeBack(Extent3 who, std::uint32_t dispatch, const debug::Breakpoint& line, std::uint64_t visits) {
  Expected<debug::Stop> stop = s_->toInvocation(who, dispatch);
  if (!stop) return s_->toBegin();
  const Expected<std::uint64_t> first = visits == 0 ? Expected<std::uint64_t>(0u) : s_->visits(line);
  for (std::uint64_t i = first ? *first : 0; i < visits && stop; ++i) {
    const debug::Time before = s_->time();
    stop = s_->until(line);
    if (!stop || stop->why == debug::Why::kArrived) continue;
    print_(fmt::format("the invocation comes to line {} {} time{} now", line.line, i, i == 1 ? "" : "s"));
    return s_->toTime(before);
  }
  return stop;
}

// A breakpoint of the session before. What a watchpoint is on may lie elsewhere now, if its text still names the same.
Status DebugShell::addAgain(debug::Breakpoint b) {
  const auto before = watched_.extract(b.number);
  std::optional<debug::Value> watched;
  if (b.region) {
    const Expected<debug::Value> now = watchedPlace(b.name);
    if (!now) return now.error();
    const auto sizeOf = [](const debug::Region& r) { return r.end - r.begin; };
    const debug::Region &was = *b.region, &is = *now->region;
    const bool isResource = is.place == Place::kBuffer || is.place == Place::kImage;
    const bool isSameText = is.resource == was.resource && (is.begin == was.begin || !hasIndexByName(b.name));
    const bool isSame =
        is.place == was.place && sizeOf(is) == sizeOf(was) &&
        (isResource ? isSameText : (is.who.group == was.who.group && is.who.batch == was.who.batch && is.who.lane == was.who.lane));
    if (!isSame) return Error{Outcome::kBadInput, "here that is another place", "reload", ""};
    const auto isPointedAt = [](const debug::Value& v) { return v.variable && v.variable->isPointedAt(); };
    if (isPointedAt(*now)) return Error{Outcome::kBadInput, "a pointer says where it is, and may point elsewhere now", "reload", ""};
    const std::optional<debug::Tuple> type = before ? before.mapped().tuple : std::nullopt;
    if (!b.becomes.empty() && type && now->tuple && typeName(*type) != typeName(*now->tuple))
      return Error{Outcome::kBadInput, fmt::format("it is {} now, and was {}", typeName(*now->tuple), typeName(*type)), "reload", ""};
    b.region = is;
    watched = *now;
  }
  const Expected<std::uint32_t> number = s_->add(std::move(b));
  if (!number) return number.error();
  if (watched) watched_[*number] = *watched;
  return {};
}

// The breakpoints are looked for again; the run goes to the same line of the same invocation, as often as it had come there.
Status DebugShell::reload() {
  if (!face_.opened || !face_.replace) return Error{Outcome::kUnsupported, "this face cannot", "reload", "restart the session"};
  const debug::Standing at = s_->standing();
  const std::uint32_t dispatch = s_->dispatch();
  const Extent3 focus = s_->focus();
  debug::Breakpoint line;
  const std::uint32_t pc = at.hasPlace() ? s_->places().lined(at.pc) : 0;
  if (at.hasPlace() && s_->places().hasLine(pc)) {
    line.name = s_->places().fileOf(s_->places().frames(pc)[0].line);
    line.line = s_->places().frames(pc)[0].line.line;
  }
  const Expected<std::uint64_t> visits = line.line == 0 ? Expected<std::uint64_t>(0u) : s_->visits(line);
  if (!visits) return visits.error();
  Expected<std::unique_ptr<OpenedSession>> fresh = openForDebugging(face_.opened->arguments);
  if (!fresh) return fresh.error();
  (**fresh).runOn = face_.opened->runOn;
  const std::vector<debug::Breakpoint> wanted = s_->breakpoints();
  const std::set<FindingKind> kinds = s_->stopsAtFindings;
  (**fresh).session->countFrom(s_->lastNumber());
  s_ = (**fresh).session.get();
  other_.reset();
  otherRun_.reset();
  watched_.erase(0);
  const auto commands = std::exchange(commands_, {});
  face_.opened = fresh->get();
  face_.replace(std::move(*fresh));
  print_("compiled again");
  const Expected<debug::Stop> stop = comeBack(focus, dispatch, line, *visits);
  for (debug::Breakpoint b : wanted) {
    const std::string text = breakpointText(b);
    b.hits = b.places = 0;
    if (const Status bad = addAgain(std::move(b))) print_(fmt::format("dropped: breakpoint {}: {}", text, bad->what));
  }
  for (const debug::Breakpoint& b : s_->breakpoints())
    if (const auto own = commands.find(b.number); own != commands.end()) commands_.insert(*own);
  s_->stopsAtFindings = kinds;
  return moved(stop);
}

}  // namespace lanewise
