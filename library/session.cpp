// Stepping.
#include "library/lanewise/session.h"

#include <charconv>

#include "library/access.h"
#include "model/debug/session.h"
#include "tools/debug/named_value.h"
#include "tools/debug/text.h"

namespace lw {

namespace debug = lanewise::debug;

struct Session::Impl {
  lanewise::Job job;
  std::unique_ptr<lanewise::Model> model;
  std::unique_ptr<debug::Session> session;
};

namespace {

const char* whyText(debug::Why why) {
  switch (why) {
    case debug::Why::kBegin:
      return "begin";
    case debug::Why::kStep:
      return "step";
    case debug::Why::kArrived:
      return "arrived";
    case debug::Why::kReturns:
      return "returns";
    case debug::Why::kBreakpoint:
      return "breakpoint";
    case debug::Why::kFinding:
      return "finding";
    case debug::Why::kWriter:
      return "stored";
    case debug::Why::kBlit:
      return "blit";
    case debug::Why::kEnd:
      return "end";
    case debug::Why::kFault:
      return "fault";
    case debug::Why::kInterrupted:
      return "interrupted";
    case debug::Why::kNothing:
      return "nothing more";
    case debug::Why::kOther:
      return "other access";
  }
  return "";
}

Error notOpen() {
  return {Outcome::badInput, "this session is not open", "", "Session::open gives one"};
}

Stop stopOutside(debug::Session& session) {
  Stop made;
  made.why = whyText(session.stop().why);
  const lanewise::Extent3 focus = session.focus();
  made.invocation = {focus.x, focus.y, focus.z};
  made.dispatch = session.dispatch();
  made.atEnd = session.atEnd();
  const debug::Standing at = session.standing();
  if (made.atEnd || !at.hasPlace()) return made;
  const debug::Places& places = session.places();
  made.place = session.program().lineOf(places.lined(at.pc));
  if (const auto& frames = places.frames(places.lined(at.pc)); !frames.empty()) made.function = lanewise::functionName(places, frames[0]);
  return made;
}

Expected<Stop> moved(debug::Session& session, const lanewise::Expected<debug::Stop>& stop) {
  if (!stop) return {{}, errorOf(stop.error())};
  if (stop->why == debug::Why::kFault && stop->error) return {stopOutside(session), errorOf(*stop->error)};
  return {stopOutside(session), {}};
}

}  // namespace

Session::Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Expected<Session> Session::open(const Job& job, const RunOptions& options) {
  return guardedValue<Session>([&]() -> Expected<Session> {
    const auto how = modelOptions(options);
    if (!how) return {{}, errorOf(how.error())};
    auto inside = jobInside(job);
    if (!inside) return {{}, errorOf(inside.error())};
    auto impl = std::make_unique<Impl>();
    impl->job = std::move(*inside);
    impl->model = std::make_unique<lanewise::Model>(*how);
    Impl* i = impl.get();
    auto opened = debug::Session::open(
        i->job, [i](lanewise::ir::Flavour flavour, lanewise::Execution* from) { return i->model->start(i->job, flavour, from); });
    if (!opened) return {{}, errorOf(opened.error())};
    impl->session = std::move(*opened);
    if (const std::atomic<bool>* stop = options.stop)
      impl->session->setPulse([stop](const debug::Time&) { return stop->load(std::memory_order_relaxed); });
    Session made;
    made.impl_ = std::move(impl);
    return {std::move(made), {}};
  });
}

Expected<Stop> Session::step(bool forward) {
  if (!impl_) return {{}, notOpen()};
  return guardedValue<Stop>([&] { return moved(*impl_->session, impl_->session->step(debug::Unit::kLineIn, forward)); });
}

Expected<Stop> Session::stepInstruction(bool forward) {
  if (!impl_) return {{}, notOpen()};
  return guardedValue<Stop>([&] { return moved(*impl_->session, impl_->session->step(debug::Unit::kInstruction, forward)); });
}

Expected<Stop> Session::go(bool forward) {
  if (!impl_) return {{}, notOpen()};
  return guardedValue<Stop>([&] { return moved(*impl_->session, impl_->session->go(forward)); });
}

Expected<Stop> Session::toEnd() {
  if (!impl_) return {{}, notOpen()};
  return guardedValue<Stop>([&] { return moved(*impl_->session, impl_->session->toEnd()); });
}

Expected<Stop> Session::toInvocation(Extent global) {
  if (!impl_) return {{}, notOpen()};
  return guardedValue<Stop>([&] { return moved(*impl_->session, impl_->session->toInvocation({global.x, global.y, global.z})); });
}

Expected<Stop> Session::toWriter(const std::string& resource, std::uint64_t byte) {
  if (!impl_) return {{}, notOpen()};
  return guardedValue<Stop>([&]() -> Expected<Stop> {
    const std::size_t index = lanewise::resourceNamed(impl_->job.resources, resource);
    if (index == impl_->job.resources.size() || byte >= impl_->job.resources[index].bytes().size())
      return {{}, Error{Outcome::badInput, "there is no such byte", "byte " + std::to_string(byte) + " of '" + resource + "'", ""}};
    const debug::ByteRange bytes{static_cast<std::uint32_t>(index), byte, byte + 1};
    return moved(*impl_->session, impl_->session->toFirstWriter({&bytes, 1}));
  });
}

Expected<std::uint32_t> Session::breakAt(const std::string& place) {
  if (!impl_) return {{}, notOpen()};
  return guardedValue<std::uint32_t>([&]() -> Expected<std::uint32_t> {
    debug::Breakpoint wanted;
    const std::size_t colon = place.rfind(':');
    const std::string last = colon == std::string::npos ? place : place.substr(colon + 1);
    const auto [end, bad] = std::from_chars(last.data(), last.data() + last.size(), wanted.line);
    const bool isLine = bad == std::errc{} && end == last.data() + last.size();
    if (!isLine) wanted.what = debug::Breakpoint::What::kFunction;
    wanted.name = !isLine ? place : colon == std::string::npos ? "" : place.substr(0, colon);
    const auto number = impl_->session->add(std::move(wanted));
    if (!number) return {0, errorOf(number.error())};
    return {*number, {}};
  });
}

Expected<std::string> Session::value(const std::string& expression) {
  if (!impl_) return {{}, notOpen()};
  return guardedValue<std::string>([&]() -> Expected<std::string> {
    const auto value = lanewise::valueOf(*impl_->session, expression, impl_->session->focus(), 0);
    if (!value) return {{}, errorOf(value.error())};
    return {lanewise::valueText(*value), {}};
  });
}

Stop Session::here() {
  Stop none;
  none.why = "not open";
  return impl_ ? stopOutside(*impl_->session) : none;
}

}  // namespace lw
