#include "model/base/replace.h"

#include <fmt/format.h>

#include <set>
#include <sstream>
#include <system_error>

#include "model/base/file.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

constexpr const char* kJournal = ".replacing";
constexpr std::string_view kRename = "rename ", kRemove = "remove ", kTo = "\t";

Status renameOnce(const fs::path& from, const fs::path& to) {
  std::error_code code;
  fs::rename(from, to, code);
  std::error_code ignored;
  if (code == std::errc::no_such_file_or_directory && fs::exists(to, ignored)) return {};  // done before
  if (code) return fileError("replace", to, code.value());
  return {};
}

Status removeOnce(const fs::path& path) {
  std::error_code code;
  fs::remove(path, code);
  if (code) return fileError("remove", path, code.value());
  return {};
}

// The files that runs left in these folders when they were killed before they decided.
void removeLeftovers(const fs::path& folder, const std::vector<Replacement>& files) {
  std::set<fs::path> folders;
  for (const Replacement& r : files) folders.insert((folder / r.file).parent_path());
  std::error_code ignored;
  for (const fs::path& one : folders)
    for (const fs::directory_entry& entry : fs::directory_iterator(one, ignored))
      if (StagedFile::isTemporary(entry.path())) fs::remove(entry.path(), ignored);
}

// An existing target must be a file, or a link to one: a device or a pipe could not be restored.
Status notAFile(const fs::path& path) {
  std::error_code ignored;
  const fs::file_type kind = fs::status(path, ignored).type();
  if (kind == fs::file_type::regular || kind == fs::file_type::not_found) return {};
  return Error{Outcome::kIoError, "cannot replace what is not a file", path.string(), "remove it, or name another folder"};
}

// Makes a folder and those above it. When it returns, the entries of the new ones are on disk.
Status makeFolders(const fs::path& folder) {
  std::error_code code;
  if (fs::is_directory(folder, code)) return {};
  if (Status bad = makeFolders(folder.parent_path())) return bad;
  fs::create_directory(folder, code);
  if (code) return fileError("make folder", folder, code.value());
  return flushFolder(folder.parent_path());
}

Status flushAll(const std::set<fs::path>& folders) {
  for (const fs::path& one : folders)
    if (Status bad = flushFolder(one)) return bad;
  return {};
}

}  // namespace

bool replacementIsPending(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / kJournal, ignored);
}

Status finishReplacing(const fs::path& folder) {
  if (!replacementIsPending(folder)) return {};
  const auto journal = readWholeFile(folder / kJournal);
  if (!journal) return journal.error();
  std::set<fs::path> folders;
  std::istringstream lines(*journal);
  for (std::string line; std::getline(lines, line);) {
    const std::string_view rest = std::string_view(line).substr(std::min(line.size(), kRename.size()));
    const std::size_t to = rest.find(kTo);
    Status bad;
    if (line.starts_with(kRename) && to != rest.npos) {
      bad = renameOnce(folder / rest.substr(0, to), folder / rest.substr(to + 1));
      folders.insert((folder / rest.substr(to + 1)).parent_path());
    } else if (line.starts_with(kRemove)) {
      bad = removeOnce(folder / rest);
      folders.insert((folder / rest).parent_path());
    } else {
      bad = Error{Outcome::kIoError, "the journal of a replacement is damaged: " + line, (folder / kJournal).string(), ""};
    }
    if (bad) return bad;
  }
  if (Status bad = flushAll(folders)) return bad;
  if (Status bad = removeOnce(folder / kJournal)) return bad;
  return flushFolder(folder);
}

Status replaceTogether(const fs::path& place, const std::vector<Replacement>& files) {
  std::error_code code;
  const fs::path folder = fs::canonical(place, code);
  if (code) return fileError("open", place, code.value());
  if (Status bad = finishReplacing(folder)) return bad;
  for (const Replacement& r : files) {
    if (Status bad = notAFile(folder / r.file)) return bad;
    if (Status bad = makeFolders((folder / r.file).parent_path())) return bad;
  }
  removeLeftovers(folder, files);
  std::vector<StagedFile> staged;
  std::set<fs::path> folders;
  std::string journal;
  for (const Replacement& r : files) {
    if (!r.bytes) {
      journal += fmt::format("{}{}\n", kRemove, r.file);
      continue;
    }
    Expected<StagedFile> one = StagedFile::stage(folder / r.file, std::as_bytes(std::span(*r.bytes)));
    if (!one) return one.error();
    journal += fmt::format("{}{}{}{}\n", kRename, one->temporary().lexically_relative(folder).string(), kTo,
                           one->target().lexically_relative(folder).string());
    folders.insert(one->target().parent_path());
    staged.push_back(std::move(*one));
  }
  if (Status bad = flushAll(folders)) return bad;
  if (Status bad = writeTextFile(folder / kJournal, journal)) {
    fs::remove(folder / kJournal, code);  // it may exist without being flushed
    return bad;
  }
  for (StagedFile& one : staged) one.keep();
  return finishReplacing(folder);
}

}  // namespace lanewise
