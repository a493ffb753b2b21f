// A debugging session as the page sees it: questions with JSON in, JSON or a picture out. The page is drawn from these answers alone.
//
// The page moves by the commands of `lanewise debug`, so that both do the same, and asks what to show with questions of its own. Each
// answer is of one moment: `version` counts the moves. A question while a long move runs is answered too: how far it is, or that it has to
// wait. The session is the same one for every window of a browser.
//
// Promise: whatever is asked, there is one answer; a wrong question changes nothing.
#pragma once

#include <deque>
#include <map>
#include <memory>

#include "tools/dap/instructions.h"
#include "tools/dap/sources.h"
#include "tools/dap/variables.h"
#include "tools/debug/opened.h"
#include "tools/debug/shell.h"
#include "tools/web/http.h"
#include "tools/web/worker.h"

namespace lanewise::web {

// A body of JSON.
HttpAnswer told(int status, const dap::Json& body);

using dap::Arguments;
using dap::Json;

class Face {
 public:
  // `commands` run first.
  Face(std::unique_ptr<OpenedSession> opened, const std::vector<std::string>& commands);

  // POST "ask/NAME" with an object. 200; 400: a wrong question; 404: no such one; 409: a move goes on, and this would be another;
  // 503: a move goes on, and this has to wait for it.
  HttpAnswer ask(const std::string& name, const std::string& body);
  // A command was `quit`.
  bool isOver() const { return isOver_; }

 private:
  struct Question {
    const char* name;
    enum class When { kAlways, kBetweenMoves } when;
    Expected<HttpAnswer> (Face::*answer)(Arguments&);
  };
  static const std::vector<Question>& questions();
  using Answer = Expected<HttpAnswer>;

  // face.cpp: moves.
  Answer command(Arguments& a);
  Answer find(Arguments& a);
  Answer stop(Arguments& a);
  Answer state(Arguments& a);
  Worker::Work move(const std::string& line);
  void find(const std::string& what);
  void measure();
  void take(std::unique_ptr<OpenedSession> opened);
  void print(const std::string& kind, const std::string& text);
  Json log(std::uint64_t since) const;
  Json progress() const;

  // face_look.cpp: the session, its source and its variables.
  Answer job(Arguments& a);
  Answer source(Arguments& a);
  Answer disassembly(Arguments& a);
  Answer grid(Arguments& a);
  Answer scopes(Arguments& a);
  Answer variables(Arguments& a);
  Answer value(Arguments& a);
  Answer completions(Arguments& a);
  Answer findings(Arguments& a);
  Json now();
  Json frames(const debug::Standing& at);
  Json breakpoints();
  Expected<debug::Value> valueOf(const std::string& expression, Extent3 of);

  // face_memory.cpp: images, buffers and workgroup memory.
  Answer picture(Arguments& a);
  Answer texels(Arguments& a);
  Answer numbers(Arguments& a);
  Answer memory(Arguments& a);
  Expected<const Resource*> resourceOf(Arguments& a);

  debug::Session& session() { return *opened_->session; }

  std::unique_ptr<OpenedSession> opened_;
  std::unique_ptr<DebugShell> shell_;
  dap::Sources sources_;
  dap::Instructions instructions_;
  std::unique_ptr<dap::Variables> variables_;
  // By dispatch and workgroups opened.
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> steps_;
  struct Stores {
    debug::Time time;
    Extent3 group;
    debug::LastStores all;
  };
  std::optional<Stores> stores_;
  bool wantsStores_ = false;

  struct Line {
    std::uint64_t number;
    std::string kind, text;  // "command", "text" or "error"
  };
  mutable std::mutex logMutex_;
  std::deque<Line> log_;
  std::uint64_t lines_ = 0;
  std::atomic<std::uint64_t> version_ = 1, compiled_ = 0;
  std::atomic<bool> isOver_ = false;
  Worker worker_;  // last: it ends first
};

}  // namespace lanewise::web
