// A job of a text program or a catalogue's case, and sessions on it.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "model/debug/session.h"
#include "model/model.h"
#include "tests/text/program_job.h"

namespace lanewise::debug {

using text::programJob;

// The model that it needs, and the session.
struct Opened {
  explicit Opened(Job given, const std::string& schedule = "in-order", Keeping keeping = {}, bool hurries = true)
      : job(std::move(given)), model(options(schedule)) {
    auto made = Session::open(job, starter(), keeping, hurries);
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().text());
    session = std::move(*made);
    session->setChecks([this] { return model.run(job).findings; });
  }
  static ModelOptions options(const std::string& schedule) {
    ModelOptions o;
    o.schedule = *parseSchedule(schedule);
    o.findings = true;
    return o;
  }
  RunStarter starter() {
    return [this](ir::Flavour flavour, Execution* from) { return model.start(job, flavour, from); };
  }
  Session& operator*() { return *session; }
  Session* operator->() { return session.get(); }

  Job job;
  Model model;
  std::unique_ptr<Session> session;
};

inline std::uint32_t lineNow(Session& s) {
  const Standing at = s.standing();
  return at.hasPlace() ? s.places().frames(s.places().lined(at.pc))[0].line.line : 0;
}

inline Value valueNow(Session& s, const std::string& text) {
  const Expected<Expression> e = parseExpression(text);
  EXPECT_TRUE(e.ok()) << text << (e.ok() ? "" : e.error().text());
  const Expected<Scope> scope = s.scope(s.focus());
  EXPECT_TRUE(scope.ok()) << (scope.ok() ? "" : scope.error().text());
  if (!e || !scope) return {};
  const Expected<Value> v = evaluate(*e, *scope);
  EXPECT_TRUE(v.ok()) << text << ": " << (v.ok() ? "" : v.error().text());
  return v ? *v : Value{};
}

// "uvec2 (1, ?)": "?" is what is not known.
inline std::string textOf(const Value& v) {
  if (!v.tuple) return v.variable ? "variable" : "nothing";
  std::string out;
  for (const ScalarValue& s : v.tuple->parts) {
    out += out.empty() ? "" : ", ";
    if (s.state != ScalarValue::State::kKnown)
      out += "?";
    else if (s.type == Scalar::kBool)
      out += s.bits ? "true" : "false";
    else if (s.type == Scalar::kF32)
      out += fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(s.bits)));
    else if (s.type == Scalar::kF64)
      out += fmt::format("{}", std::bit_cast<double>(s.bits));
    else if (s.type == Scalar::kI32 && s.isSigned)
      out += fmt::format("{}", static_cast<std::int32_t>(s.bits));
    else if (s.type == Scalar::kI64 && s.isSigned)
      out += fmt::format("{}", static_cast<std::int64_t>(s.bits));
    else
      out += fmt::format("{}", s.bits);
  }
  return typeName(*v.tuple) + (v.tuple->isVector() ? " (" + out + ")" : " " + out);
}

inline std::string now(Session& s, const std::string& text) {
  return textOf(valueNow(s, text));
}

}  // namespace lanewise::debug
