// Commands of `lanewise debug` that show what invocations share: workgroup memory with its writers, the stores to one place, resources as
// numbers and as files.
#include <fmt/format.h>

#include <algorithm>

#include "model/debug/job_values.h"
#include "tools/debug/in_scope.h"
#include "tools/debug/named_value.h"
#include "tools/debug/shell.h"
#include "tools/debug/text.h"
#include "tools/debug/variable_text.h"
#include "tools/debug/words.h"
#include "tools/run/job_place.h"
#include "tools/run/output.h"

namespace lanewise {

namespace {

// Calls use(name, scalar) for each scalar, until it returns false.
template <class Use>
bool forEachScalar(const std::string& name, const LaneValue& value, const Use& use) {
  if (value.isScalar()) return use(name, value);
  for (std::uint64_t i = 0; i < value.count(); ++i)
    if (!forEachScalar(name + partText(value, i), value.part(i), use)) return false;
  return true;
}

constexpr std::size_t kMostWords = 256;

}  // namespace

// Each word of a variable in workgroup memory, or of all: its value, and who wrote it last. Neighbours that nobody wrote share a line.
Status DebugShell::memory(const std::string& rest) {
  const Expected<debug::LastStores> stores = s_->workgroupStores();
  if (!stores) return stores.error();
  std::vector<NamedValue> all;
  if (rest.empty()) {
    const Expected<debug::Scope> scope = s_->scope(s_->focus(), frame_);
    if (!scope) return scope.error();
    for (const NamedValue& v : globalsOf(*scope))
      if (v.value.isWorkgroupMemory()) all.push_back(v);
    if (all.empty()) print_("the kernel has no workgroup memory");
  } else {
    const Expected<debug::Value> v = value(rest);
    if (!v) return v.error();
    if (!v->variable || !v->variable->isWorkgroupMemory())
      return Error{Outcome::kBadInput, "this is not in workgroup memory", "memory", "`memory` shows all of it"};
    all.push_back({rest, *v->variable, false});
  }
  std::size_t count = 0;
  std::string first, last;  // that nobody wrote
  const auto flush = [&] {
    if (!first.empty())
      print_(first == last ? fmt::format("{}: nobody has written it", first)
                           : fmt::format("{} to {}: nobody has written them", first, last));
    first.clear();
  };
  for (const NamedValue& v : all)
    forEachScalar(v.name, v.value, [&](const std::string& name, const LaneValue& scalar) {
      const std::uint64_t byte = scalar.byte();
      const debug::LastStore store = stores->at(byte);
      if (store.pc == debug::kBlitted) {
        if (first.empty()) first = name;
        last = name;
        return true;
      }
      flush();
      if (++count > kMostWords) return false;
      print_(fmt::format("{} = {}, by {} at {}", name, valueText(scalar), invocationText(store.invocation),
                         placeText(s_->places(), store.pc)));
      return true;
    });
  flush();
  if (count > kMostWords) print_(fmt::format("... after {} words: name a part", kMostWords));
  return {};
}

// All stores to an element in the whole run: when, who, where, and what.
Status DebugShell::history(const std::string& rest) {
  const Expected<debug::Value> v = watchedPlace(rest);
  if (!v) return v.error();
  const Expected<std::vector<debug::Hit>> hits = s_->history(*v->region);
  if (!hits) return hits.error();
  constexpr std::size_t kMost = 100;
  const debug::Time now = s_->time();
  bool isPassed = s_->atEnd();
  for (std::size_t i = 0; i < std::min(hits->size(), kMost); ++i) {
    const debug::Hit& h = (*hits)[i];
    if (!isPassed && !(h.time < now)) {
      print_("  here is now");
      isPassed = true;
    }
    const std::string when = fmt::format("{}.{}.{}", h.time.dispatch, h.time.opened, h.time.step);
    if (h.pc == debug::kBlitted)
      print_(fmt::format("  {:<12} a blit", when));
    else
      print_(fmt::format("  {:<12} {} at {}: {} becomes {}", when, invocationText(s_->invocationOf(h)),
                         placeText(s_->placesOf(h.time.dispatch), h.pc),
                         s_->isFresh(h, std::span(*hits).first(i)) ? "?" : bytesText(h.before, *v, *s_), bytesText(h.after, *v, *s_)));
  }
  if (hits->size() > kMost) print_(fmt::format("  and {} more", hits->size() - kMost));
  if (hits->empty()) print_(fmt::format("nobody writes {} in this run", rest));
  return {};
}

// RESOURCE [X,Y[,Z]] [level L]: texels from there on as numbers; RESOURCE [BYTE]: values of a buffer, by name where the module has one.
Status DebugShell::show(const std::string& rest) {
  const auto [name, place] = firstWord(rest);
  const Expected<std::uint32_t> index = resourceOf(*s_, name);
  if (!index) return index.error();
  const Resource& now = s_->resources()[*index];
  const Expected<debug::Value> from = valueIn(*s_, name, place.empty() ? "0" : place.starts_with("level") ? "0 " + place : place);
  if (!from) return from.error();
  const auto* image = std::get_if<ImageData>(&now.data);
  const std::span<const std::byte> bytes = now.bytes();
  print_(fmt::format("{}, {}", now.name, shapeText(now)));
  if (!image) {
    constexpr std::size_t kValues = 32;
    std::uint64_t at = from->region->begin;
    for (std::size_t i = 0; i < kValues && at < bytes.size(); ++i) {
      const JobPlace p = placeOf(s_->job(), s_->job().resources[*index], at);
      const std::uint64_t size = std::max<std::uint64_t>(1, p.texel ? p.texel->texelBytes : p.type.bytes);
      if (p.first + size > bytes.size()) break;
      print_(fmt::format("  {} = {}", p.name, p.value(now.bytes(), s_->profile().texel)));
      at = p.first + size;
    }
    return {};
  }
  return showTexels(now.name, *image, from->region->begin);
}

// Eight by eight, or less where the level ends.
Status DebugShell::showTexels(const std::string& name, const ImageData& image, std::uint64_t first) {
  constexpr std::uint32_t kDown = 8, kAcross = 8;
  const FormatInfo& format = *formatInfo(image.format);
  std::uint32_t level = 0;
  while (level + 1 < image.levels && image.levelOffset(level + 1) <= first) ++level;
  const Extent3 e = image.levelExtent(level);
  const std::uint64_t at = (first - image.levelOffset(level)) / format.texelBytes;
  const std::uint64_t x0 = at % e.x, y0 = at / e.x % e.y, z = at / e.x / e.y;
  std::size_t widest = 1;
  std::vector<std::vector<std::string>> rows;
  for (std::uint64_t y = y0; y < std::min<std::uint64_t>(e.y, y0 + kDown); ++y) {
    rows.emplace_back();
    for (std::uint64_t x = x0; x < std::min<std::uint64_t>(e.x, x0 + kAcross); ++x) {
      const std::byte* texel = image.bytes.data() + image.levelOffset(level) + ((z * e.y + y) * e.x + x) * format.texelBytes;
      rows.back().push_back(tupleText(debug::ownTexel(format, s_->profile().texel, texel)) +
                            (isPoison({texel, format.texelBytes}) ? "~" : ""));
      widest = std::max(widest, rows.back().back().size());
    }
  }
  const std::string where = fmt::format("{}level {}", z != 0 ? fmt::format("slice {}, ", z) : "", level);
  print_(fmt::format("{} from {},{} on, {}", name, x0, y0, where));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string line = fmt::format("{:>6}:", y0 + i);
    for (const std::string& text : rows[i]) line += fmt::format(" {:>{}}", text, widest);
    print_(line);
  }
  return {};
}

// RESOURCE FILE: as it is now; a picture, or the bytes as they are.
Status DebugShell::save(const std::string& rest) {
  if (!face_.writesFiles) return Error{Outcome::kUnsupported, "the page writes no files", "save", "the terminal's `lanewise debug` does"};
  const auto [name, file] = firstWord(rest);
  const Expected<std::uint32_t> index = resourceOf(*s_, name);
  if (!index) return index.error();
  if (file.empty()) return Error{Outcome::kBadInput, "no file is named", "save", "`save blurred now.png`"};
  const Resource& now = s_->resources()[*index];
  OutArgument out;
  out.file = file;
  if (Status bad = writeOutput(RunOutput{}, out, file, now)) {
    bad->where = "save";
    return bad;
  }
  print_(fmt::format("{}, {}: written to {}", now.name, shapeText(now), file));
  return {};
}

}  // namespace lanewise
