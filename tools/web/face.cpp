#include "tools/web/face.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/state/workgroup.h"
#include "tools/debug/advice.h"

namespace lanewise::web {
namespace {

constexpr std::size_t kMostLines = 2000;
constexpr std::chrono::milliseconds kForMove{300}, kForQuestion{300}, kForMeasure{200};

HttpAnswer wrong(int status, const Error& error) {
  return told(status, {{"error", textWithCommands(error)}});
}

}  // namespace

HttpAnswer told(int status, const Json& body) {
  return {status, "application/json", body.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

const std::vector<Face::Question>& Face::questions() {
  using F = Face;
  using When = Question::When;
  static const std::vector<Question> kAll{
      {"command", When::kAlways, &F::command},
      {"find", When::kAlways, &F::find},
      {"stop", When::kAlways, &F::stop},
      {"state", When::kAlways, &F::state},

      {"job", When::kBetweenMoves, &F::job},
      {"source", When::kBetweenMoves, &F::source},
      {"disassembly", When::kBetweenMoves, &F::disassembly},
      {"grid", When::kBetweenMoves, &F::grid},
      {"scopes", When::kBetweenMoves, &F::scopes},
      {"variables", When::kBetweenMoves, &F::variables},
      {"value", When::kBetweenMoves, &F::value},
      {"completions", When::kBetweenMoves, &F::completions},
      {"findings", When::kBetweenMoves, &F::findings},

      {"picture", When::kBetweenMoves, &F::picture},
      {"texels", When::kBetweenMoves, &F::texels},
      {"numbers", When::kBetweenMoves, &F::numbers},
      {"memory", When::kBetweenMoves, &F::memory},
  };
  return kAll;
}

Face::Face(std::unique_ptr<OpenedSession> opened, const std::vector<std::string>& commands) {
  take(std::move(opened));
  shell_ = std::make_unique<DebugShell>(session(), [this](const std::string& line) { print("text", line); });
  shell_->setFace({opened_.get(), [this](std::unique_ptr<OpenedSession> fresh) { take(std::move(fresh)); }, false});
  for (const std::string& line : commands) worker_.addLater(move(line));
  worker_.addLater({"measure", true, [this] { measure(); }});
}

// The session, or another one in its place: the subject was compiled again.
void Face::take(std::unique_ptr<OpenedSession> opened) {
  variables_.reset();
  opened_ = std::move(opened);
  sources_ = dap::Sources(session());
  instructions_ = dap::Instructions(session());
  variables_ = std::make_unique<dap::Variables>(session());
  session().setPulse([this](const debug::Time& at) { return worker_.pulse(at); });
  steps_.clear();
  stores_.reset();
  ++compiled_;
}

HttpAnswer Face::ask(const std::string& name, const std::string& body) {
  const auto row = std::ranges::find_if(questions(), [&](const Question& q) { return q.name == name; });
  if (row == questions().end()) return wrong(404, {Outcome::kBadInput, "there is no such question", "", ""});
  const Expected<Json> message = dap::parseObject(body);
  if (!message) return wrong(400, message.error());
  std::optional<std::unique_lock<std::timed_mutex>> lock;
  if (row->when == Question::When::kBetweenMoves && !(lock = worker_.lock(kForQuestion)))
    return wrong(503, {Outcome::kInterrupted, "a move goes on", "", ""});
  Arguments arguments(*message);
  Answer answer = (this->*row->answer)(arguments);
  if (answer) return std::move(*answer);
  return wrong(answer.error().outcome == Outcome::kInterrupted ? 409 : 400, answer.error());
}

void Face::print(const std::string& kind, const std::string& text) {
  const std::lock_guard lock(logMutex_);
  log_.push_back({++lines_, kind, text});
  if (log_.size() > kMostLines) log_.pop_front();
}

Json Face::log(std::uint64_t since) const {
  const std::lock_guard lock(logMutex_);
  Json out = Json::array();
  for (const Line& line : log_)
    if (line.number > since) out.push_back({{"number", line.number}, {"kind", line.kind}, {"text", line.text}});
  return out;
}

Json Face::progress() const {
  const std::optional<Worker::Progress> p = worker_.progress();
  if (!p) return {};
  return {{"name", p->name}, {"seconds", p->seconds}, {"dispatch", p->at.dispatch}, {"opened", p->at.opened}};
}

// A command as a person types it.
Worker::Work Face::move(const std::string& line) {
  return {line, false, [this, line] {
            print("command", line);
            shell_->execute(line);
            if (shell_->isOver()) isOver_ = true;
            variables_->clear();
            measure();
            ++version_;
          }};
}

// What the page shows beside, where that takes no time.
void Face::measure() {
  worker_.setDeadline(std::chrono::steady_clock::now() + kForMeasure);
  find("steps");
  if (wantsStores_) find("stores");
}

void Face::find(const std::string& what) {
  const debug::Time time = session().time();
  if (what == "steps") {
    const std::pair key(time.dispatch, time.opened);
    if (steps_.contains(key)) return;
    if (const Expected<std::uint64_t> steps = session().stepsOf(time.dispatch, time.opened); steps.ok()) steps_[key] = *steps;
  } else if (what == "stores") {
    if (Expected<debug::LastStores> all = session().workgroupStores(); all.ok())
      stores_ = Stores{time, placeOfInvocation(session().program().localSize, session().focus()).group, std::move(*all)};
  } else {
    static_cast<void>(session().findings());
  }
  variables_->clear();  // they are of a state that is no more
}

Face::Answer Face::command(Arguments& a) {
  const std::string line = a.text("line");
  if (a.bad()) return *a.bad();
  if (!worker_.add(move(line))) return Error{Outcome::kInterrupted, "a move goes on", "", "stop it first"};
  worker_.wait(kForMove);
  return told(200, {{"version", version_.load()}, {"moving", progress()}});
}

// Work that may take long and moves nothing: "findings", "steps" or "stores".
Face::Answer Face::find(Arguments& a) {
  const std::string what = a.text("what");
  if (a.bad()) return *a.bad();
  if (what != "findings" && what != "steps" && what != "stores")
    return Error{Outcome::kBadInput, fmt::format("'{}' cannot be found", what), "", "findings, steps or stores"};
  const auto work = [this, what] {
    find(what);
    ++version_;
  };
  if (!worker_.add({what, true, work})) return Error{Outcome::kInterrupted, "a move goes on", "", "stop it first"};
  worker_.wait(kForMove);
  return told(200, {{"version", version_.load()}, {"moving", progress()}});
}

Face::Answer Face::stop(Arguments&) {
  worker_.stop();
  worker_.wait(kForMove);
  return told(200, {{"version", version_.load()}, {"moving", progress()}});
}

// `version`: what the page has; of the same one only the lines that are new. `since`: the last line that it has.
Face::Answer Face::state(Arguments& a) {
  const std::int64_t since = a.numberOr("since", 0, 0, std::numeric_limits<std::int64_t>::max()), has = a.numberOr("version", 0);
  if (a.bad()) return *a.bad();
  Json out;
  const auto lock = worker_.lock(kForMove);
  const Json moving = progress();
  if (lock && moving.is_null() && has != static_cast<std::int64_t>(version_)) out = now();
  out["version"] = version_.load();
  out["compiled"] = compiled_.load();
  out["moving"] = moving;
  out["log"] = log(static_cast<std::uint64_t>(since));
  return told(200, out);
}

}  // namespace lanewise::web
