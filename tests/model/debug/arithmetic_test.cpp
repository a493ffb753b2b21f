// Expressions against a kernel that computes the same: each line of tests/kernels/expressions.comp stores the value of its text, and where
// the debugger gives that text a value in the same invocation, it is that one.
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <regex>
#include <sstream>

#include "model/contract/profiles.h"
#include "model/debug/arithmetic.h"
#include "tests/kernels/kernels.h"
#include "tests/model/debug/opened.h"

namespace lanewise::debug {
namespace {

constexpr std::uint32_t kLanes = 32;

std::vector<std::uint32_t> edges() {
  std::vector<std::uint32_t> out{0, 1, 2, 3, 31, 32, 33, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff9, 0x7fc01234, 0x3ff00000};
  for (const float f : {0.5f, 1.0f, -1.5f, 2.5f, -7.0f, 3e9f, -3e9f, 5e9f, 16777217.0f, 1e-40f, 3e38f, INFINITY, -INFINITY})
    out.push_back(std::bit_cast<std::uint32_t>(f));
  return out;
}

// Three words an invocation: every pair of the edges, and a third.
std::vector<std::uint32_t> inputs() {
  const std::vector<std::uint32_t> all = edges();
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < all.size(); ++k) out.insert(out.end(), {all[i], all[k], all[(i + 2 * k + 1) % all.size()]});
  while (out.size() % (3 * kLanes) != 0) out.push_back(1);
  return out;
}

struct Line {
  std::string type, text;
};

std::vector<std::byte> bytesOf(const std::vector<std::uint32_t>& words) {
  const auto bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.end()};
}

// The kernel's lines "  FLOAT(x + y);", and the number of the line at which all variables are known.
std::pair<std::vector<Line>, std::uint32_t> linesOf(const std::string& source) {
  std::vector<Line> out;
  std::uint32_t last = 0, number = 0;
  const std::regex pattern(R"(  ([A-Z]+)\((.*)\);)");
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (std::smatch m; std::regex_match(line, m, pattern)) out.push_back({m[1], m[2]});
    if (line.starts_with("  at = 0;")) last = number;
  }
  return {out, last};
}

class SameAsAKernel : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::vector<std::uint32_t> words = inputs();
    invocations_ = static_cast<std::uint32_t>(words.size() / 3);
    ModelOptions options;
    options.profile = *profileByName(GetParam());
    model_ = std::make_unique<Model>(options);
    job_.resources = {{"words", BufferData{bytesOf(words)}}, {"results", BufferData{}, false, true}};
    Dispatch& dispatch = job_.dispatches.emplace_back();
    dispatch.module = testKernel("expressions");
    dispatch.groups = {invocations_ / kLanes, 1, 1};
    dispatch.bindings = {{0, 0, 0, "words"}, {0, 1, 0, "results"}};
    dispatch.push = bytesOf({0});
    auto program = model_->program(dispatch, options.profile.subgroupSize);
    ASSERT_TRUE(program.ok()) << program.error().text();
    std::tie(lines_, last_) = linesOf(spirv::readDebugInfo((*program)->module).sources[0].text);
    ASSERT_GT(lines_.size(), 140u);
    dispatch.push = bytesOf({static_cast<std::uint32_t>(lines_.size())});
    job_.resources[1].bytes().resize(std::size_t{invocations_} * lines_.size() * 8);
  }

  // Whether the invocation's stored words are the values of the texts; counts those that have one.
  void compare(std::uint32_t invocation, const Scope& scope, const std::vector<std::byte>& results) {
    for (std::size_t n = 0; n < lines_.size(); ++n) {
      const Expected<Expression> e = parseExpression(lines_[n].text);
      ASSERT_TRUE(e.ok()) << lines_[n].text;
      const Expected<Value> v = evaluate(*e, scope);
      if (!v) {
        ASSERT_NE(v.error().text().find("undefined"), std::string::npos) << lines_[n].text << ": " << v.error().text();
        continue;
      }
      ASSERT_TRUE(v->tuple && v->tuple->parts.size() == 1) << lines_[n].text;
      std::uint64_t stored = 0;
      std::memcpy(&stored, results.data() + (invocation * lines_.size() + n) * 8, 8);
      ASSERT_EQ(v->tuple->parts[0].bits, stored) << lines_[n].type << ' ' << lines_[n].text << " in invocation " << invocation;
      ++compared_[n];
    }
  }

  Job job_;
  std::unique_ptr<Model> model_;
  std::uint32_t invocations_ = 0, last_ = 0;
  std::vector<Line> lines_;
  std::map<std::size_t, std::uint32_t> compared_;
};

// The kernel leaves no function out.
TEST_P(SameAsAKernel, OfEveryFunction) {
  for (const std::string_view name : functionNames())
    EXPECT_TRUE(std::ranges::any_of(lines_, [&](const Line& l) { return l.text.starts_with(std::string(name) + "("); })) << name;
}

TEST_P(SameAsAKernel, OnEveryEdge) {
  const RunResult plain = model_->run(job_);
  ASSERT_FALSE(plain.error) << plain.error->text();
  auto opened = Session::open(job_, [this](ir::Flavour f, Execution* from) { return model_->start(job_, f, from); });
  ASSERT_TRUE(opened.ok()) << opened.error().text();
  Session& s = **opened;
  for (std::uint32_t i = 0; i < invocations_; ++i) {
    Expected<Scope> scope = s.scope({i, 0, 0});
    const auto isThere = [&] { return scope.ok() && s.places().hasLine(scope->pc) && s.places().frames(scope->pc)[0].line.line == last_; };
    if (!isThere()) {
      ASSERT_TRUE(s.toInvocation({i, 0, 0}).ok());
      Breakpoint there;
      there.line = last_;
      ASSERT_TRUE(s.until(there).ok());
      scope = s.scope({i, 0, 0});
      ASSERT_TRUE(isThere()) << i;
    }
    compare(i, *scope, plain.outputs[0].bytes());
    if (HasFatalFailure()) return;
  }
  for (std::size_t n = 0; n < lines_.size(); ++n) EXPECT_GT(compared_[n], 100u) << lines_[n].text;
}

INSTANTIATE_TEST_SUITE_P(Profiles, SameAsAKernel, testing::Values("strict", "adverse", "lavapipe", "swiftshader", "nvidia"));

}  // namespace
}  // namespace lanewise::debug
