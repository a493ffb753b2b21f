#include "model/base/caches.h"

#include <cstdlib>

namespace lanewise {
namespace {

// An absolute path in a variable; empty: there is none.
std::filesystem::path folderIn(const char* variable) {
  const char* text = std::getenv(variable);
  const std::filesystem::path path = text ? text : "";
  return path.is_absolute() ? path : std::filesystem::path();
}

}  // namespace

std::filesystem::path cacheFolder(std::string_view name) {
  if (const char* off = std::getenv("LANEWISE_NO_CACHE"); off && *off) return {};
  std::filesystem::path caches = folderIn("XDG_CACHE_HOME");
  if (caches.empty() && !folderIn("HOME").empty()) caches = folderIn("HOME") / ".cache";
  return caches.empty() ? caches : caches / "lanewise" / name;
}

}  // namespace lanewise
