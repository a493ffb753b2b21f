// Runs the text of a script on the model.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/model.h"
#include "tools/amber/parse.h"
#include "tools/amber/run_script.h"

namespace lanewise::amber {

// "ok", what failed, or the error.
inline std::string ran(const std::string& text, Device& device, const std::string& folder = "", std::uint32_t subgroupSize = 0) {
  Expected<Script> script = parseScript("job.amber", text, folder);
  if (!script) return script.error().text();
  const Expected<std::shared_ptr<const ReadyScript>> ready = makeReady(std::move(*script), {});
  if (!ready) return ready.error().text();
  ScriptRun run(*ready, device.profile(), {}, subgroupSize);
  while (const Job* job = run.next()) run.take(device.run(*job));
  const std::string failed = run.failedText();
  const RunResult result = std::move(run).result();
  if (result.error) return result.error->text();
  return failed.empty() ? "ok" : failed;
}

inline std::string ran(const std::string& text, const std::string& folder = "") {
  Model model;
  return ran(text, model, folder);
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace lanewise::amber
