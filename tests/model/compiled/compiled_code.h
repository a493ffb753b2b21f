// Compiled code of a dispatch's program, as a test takes it: made at once, and not kept.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "model/compiled/compile.h"
#include "model/program/decode.h"

namespace lanewise {

inline std::shared_ptr<const compiled::Compiled> compiledCodeOf(const Dispatch& dispatch) {
  ProgramOptions options;
  options.spec = dispatch.spec;
  options.flavour = ir::Flavour::kUnwatched;
  const auto laid = decodeToCompile(*dispatch.module, options);
  EXPECT_TRUE(laid.ok());
  const auto file = compiled::compile(**laid);
  EXPECT_TRUE(file.ok()) << file.error().text();
  const auto loaded = compiled::load(*laid, *file);
  EXPECT_TRUE(loaded.ok());
  return *loaded;
}

}  // namespace lanewise
