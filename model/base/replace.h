// Replaces several files of a folder at once: all of them or none, even if the process is killed or the machine stops.
//
// 1. The new bytes of every file are written and flushed under hidden names beside their places.
// 2. A journal in the folder (".replacing") lists what is to be renamed and removed. Its own rename is the moment of the change.
// 3. The renames and removals are made, and the journal is removed.
//
// A process that finds a journal does step 3 first: each part of it may be done twice. A process that ended before step 2 has changed
// nothing, and the next replacement removes its hidden files. The caller holds the folder's lock (FolderLock). Errors: kIoError.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/base/outcome.h"

namespace lanewise {

struct Replacement {
  std::string file;                  // inside the folder, e.g. "images/photo/scene.png"
  std::optional<std::string> bytes;  // empty: the file is removed
};

Status replaceTogether(const std::filesystem::path& folder, const std::vector<Replacement>& files);

// Whether there is a change that was decided and not made.
bool replacementIsPending(const std::filesystem::path& folder);
// Makes it. Nothing to do is not an error.
Status finishReplacing(const std::filesystem::path& folder);

}  // namespace lanewise
