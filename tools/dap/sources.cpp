#include "tools/dap/sources.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/base/file.h"
#include "tools/debug/text.h"

namespace lanewise::dap {
namespace {

namespace fs = std::filesystem;

// The file at a path, if it reads as the module says.
std::string onDiskAt(const std::string& path, const std::string& text) {
  std::error_code bad;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, bad), bad);
  if (bad || !fs::is_regular_file(whole, bad)) return "";
  const Expected<std::string> there = readWholeFile(whole.string());
  return there && (text.empty() || *there == text) ? whole.string() : "";
}

// How many folders and names at the end of two paths are the same.
std::size_t sameEnd(const fs::path& a, const fs::path& b) {
  const std::vector<fs::path> x(a.begin(), a.end()), y(b.begin(), b.end());
  std::size_t n = 0;
  while (n < x.size() && n < y.size() && x[x.size() - 1 - n] == y[y.size() - 1 - n]) ++n;
  return n;
}

}  // namespace

Sources::Sources(debug::Session& session) {
  for (std::uint32_t d = 0; d < session.job().dispatches.size(); ++d) {
    const debug::Places& places = session.placesOf(d);
    std::set<std::uint32_t> ids;
    for (const spirv::DebugSource& s : places.source().debug().sources) ids.insert(s.file);
    for (std::uint32_t pc = 0; pc < places.program().info.size(); ++pc)
      for (const SourceFrame& f : places.frames(pc)) ids.insert(f.line.file);
    for (const std::uint32_t id : ids) {
      File file{places.program().module.string(id), fileText(places, id), ""};
      const auto isSame = [&](const File& f) { return f.path == file.path && f.text == file.text; };
      if (file.path.empty() || std::ranges::any_of(files_, isSame)) continue;
      file.onDisk = onDiskAt(file.path, file.text);
      files_.push_back(std::move(file));
    }
  }
}

Json Sources::told(std::size_t i) const {
  const File& f = files_[i];
  Json out{{"name", fs::path(f.path).filename().string()}};
  if (!f.onDisk.empty())
    out["path"] = f.onDisk;
  else if (f.text.empty())
    out["path"] = f.path;
  else
    out.update({{"sourceReference", i + 1}, {"origin", "in the module"}});
  return out;
}

std::optional<std::size_t> Sources::numberOf(const debug::Places& places, spirv::SourceLine line) const {
  const std::string path = places.program().module.string(line.file);
  const std::string text = path.empty() ? "" : fileText(places, line.file);
  const auto found = std::ranges::find_if(files_, [&](const File& f) { return f.path == path && f.text == text; });
  if (path.empty() || found == files_.end()) return {};
  return static_cast<std::size_t>(found - files_.begin());
}

Json Sources::of(const debug::Places& places, spirv::SourceLine line) const {
  const std::optional<std::size_t> number = numberOf(places, line);
  return number ? told(*number) : Json();
}

std::vector<Json> Sources::all() const {
  std::vector<Json> out;
  for (std::size_t i = 0; i < files_.size(); ++i) out.push_back(told(i));
  return out;
}

// By its number; by where it lies; else by the longest end of its path that a module's file has. A file that reads the same is then where
// that one lies.
Expected<std::string> Sources::find(Arguments source) {
  const auto number = static_cast<std::size_t>(source.numberOr("sourceReference", 0));
  const std::string path = source.textOr("path", source.textOr("name"));
  if (source.bad()) return *source.bad();
  if (number != 0 && number <= files_.size()) return files_[number - 1].path;
  File* best = nullptr;
  std::size_t most = 0;
  for (File& f : files_) {
    const std::size_t same = !f.onDisk.empty() && f.onDisk == path ? ~std::size_t{0} : sameEnd(path, f.path);
    if (same > most) best = &f;
    most = std::max(most, same);
  }
  if (path.empty() || !best)
    return Error{Outcome::kBadInput, fmt::format("the module has no file '{}'", path), "",
                 "`info files` in the debug console names those it has"};
  if (best->onDisk.empty()) best->onDisk = onDiskAt(path, best->text);
  return best->path;
}

Expected<std::string> Sources::text(Arguments a) const {
  Arguments source = a.inner("source");
  const auto number = static_cast<std::size_t>(source.numberOr("sourceReference", a.numberOr("sourceReference", 0)));
  if (source.bad()) return *source.bad();
  if (number == 0 || number > files_.size()) return Error{Outcome::kBadInput, fmt::format("there is no source {}", number), "", ""};
  return files_[number - 1].text;
}

std::set<std::uint32_t> linesWithCode(debug::Session& session, const std::string& path) {
  std::set<std::uint32_t> lines;
  for (std::uint32_t d = 0; d < session.job().dispatches.size(); ++d) {
    const debug::Places& places = session.placesOf(d);
    for (std::uint32_t pc = 0; pc < places.program().info.size(); ++pc) {
      if (!places.hasLine(pc) || !places.begins(pc)) continue;
      const spirv::SourceLine line = places.frames(pc)[0].line;
      if (places.program().module.string(line.file) == path) lines.insert(line.line);
    }
  }
  return lines;
}

}  // namespace lanewise::dap
