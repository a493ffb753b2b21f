#include "tools/debug/opened.h"

#include <fmt/format.h>

#include "tools/run/typed_values.h"

namespace lanewise {

Expected<std::unique_ptr<OpenedSession>> openForDebugging(const SessionArguments& given) {
  SessionArguments a = given;
  if (Status bad = takeMemory(a.subject.module, a.schedule)) return *bad;
  const std::optional<std::uint64_t> bytes = parseByteCount(a.snapshots);
  if (!bytes) return Error{Outcome::kBadInput, fmt::format("'{}' is no number of bytes", a.snapshots), "--snapshots", "64M, 1G"};
  Expected<Subject> subject = openSubject(a.subject);
  if (!subject) return subject.error();
  const Expected<Way> way = wayOf(*subject, a.profile, a.schedule);
  if (!way) return way.error();
  auto out = std::make_unique<OpenedSession>();
  out->arguments = a;
  out->subject = std::move(*subject);
  out->model = std::make_unique<Model>(ModelOptions{.profile = way->profile, .schedule = way->schedule, .findings = true});
  debug::Keeping keeping;
  keeping.bytes = *bytes;
  auto session = debug::Session::open(
      out->subject.job, [o = out.get()](ir::Flavour flavour, Execution* from) { return o->model->start(o->subject.job, flavour, from); },
      keeping);
  if (!session) return session.error();
  out->session = std::move(*session);
  out->session->setChecks([o = out.get()] { return o->model->run(o->subject.job).findings; });
  return out;
}

}  // namespace lanewise
