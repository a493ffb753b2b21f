#include "tools/web/serve.h"

#include <dlfcn.h>

#include <optional>

#include "model/base/program_folder.h"
#include "tools/web/face.h"
#include "tools/web/guard.h"
#include "tools/web/page.h"

namespace lanewise::web {
namespace {

constexpr std::size_t kMostBody = 64 << 10;

// The loader keeps it.
Expected<const HttpModule*> loadedModule() {
  const std::filesystem::path file = ownPart(kHttpModule);
  const auto trouble = [&](const std::string& why) {
    return Error{Outcome::kIoError, "cannot load the part that listens: " + why, file.string(),
                 "it comes with the program, and needs cpp-httplib"};
  };
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) return trouble(::dlerror());
  const auto* module = static_cast<const HttpModule*>(::dlsym(library, kHttpModuleSymbol));
  if (module == nullptr || std::string_view(module->version) != LANEWISE_VERSION)
    return trouble("it belongs to another version of Lanewise");
  return module;
}

HttpAnswer answerOf(Face& face, const HttpRequest& request, const std::string& inside) {
  constexpr std::string_view kAsk = "ask/";
  if (request.method == "POST" && inside.starts_with(kAsk)) return face.ask(inside.substr(kAsk.size()), request.body);
  if (request.method == "GET")
    for (const PageFile& file : pageFiles())
      if (inside == file.name) return {200, file.type, std::string(file.text)};
  return {404, "text/plain", "There is no such page.\n"};
}

}  // namespace

Status serve(std::uint16_t port, std::unique_ptr<OpenedSession> opened, const std::vector<std::string>& commands,
             const std::function<void(const std::string& address)>& listening, const std::function<bool()>& isOver) {
  const Expected<const HttpModule*> module = loadedModule();
  if (!module) return module.error();
  Expected<std::string> token = makeToken();
  if (!token) return token.error();
  std::optional<Guard> guard;
  Face face(std::move(opened), commands);
  HttpSite site;
  site.fields = safeFields();
  site.mostBody = kMostBody;
  site.listening = [&](std::uint16_t bound) {
    guard.emplace(std::move(*token), bound);
    listening(guard->address());
  };
  site.isOver = [&] { return face.isOver() || isOver(); };
  site.refuse = [&](const HttpRequest& request) { return guard->refuse(request); };
  site.answer = [&](const HttpRequest& request) { return answerOf(face, request, guard->inside(request.path)); };
  return (*module)->serve(port, site);
}

}  // namespace lanewise::web
