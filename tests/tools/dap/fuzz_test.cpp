// What an editor sends is not trusted: whatever bytes come, they give messages or errors; whatever a request says, it gets one response.
// Run it under the asan preset too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tools/dap/adapter.h"

namespace lanewise::dap {
namespace {

using testing::HasSubstr;

std::vector<Expected<Json>> messagesOf(const std::string& bytes, std::size_t atOnce = ~std::size_t{0}) {
  MessageReader reader;
  std::vector<Expected<Json>> out;
  for (std::size_t at = 0; at < bytes.size(); at += std::min(atOnce, bytes.size() - at)) {
    reader.add(std::string_view(bytes).substr(at, atOnce));
    while (std::optional<Expected<Json>> m = reader.next()) out.push_back(std::move(*m));
  }
  return out;
}

TEST(DapMessages, AreCutWhereverTheBytesAreCut) {
  const std::string two = framed({{"a", 1}}) + "Content-Type: x\r\nContent-Length: 7\r\n\r\n{\"b\":2}";
  for (const std::size_t atOnce : {1, 2, 3, 7, 1000}) {
    const auto all = messagesOf(two, atOnce);
    ASSERT_EQ(all.size(), 2u) << atOnce;
    ASSERT_TRUE(all[0].ok() && all[1].ok());
    EXPECT_EQ(all[0]->dump() + all[1]->dump(), R"({"a":1}{"b":2})");
  }
  EXPECT_TRUE(messagesOf("Content-Length: 8\r\n\r\n{\"b\":2}").empty());  // a byte is missing
}

TEST(DapMessages, BrokenOnesAreErrorsAndTheNextIsRead) {
  const std::string good = framed({{"a", 1}});
  for (const std::string bad :
       {"Length 2\r\n\r\n", "Content-Length: two\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: 1\r\nContent-Length: 1\r\n\r\n",
        "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: 2\r\n\r\n{]", "Content-Length: 2\r\n\r\n[]", "\r\n\r\n"}) {
    const auto all = messagesOf(bad + good);
    ASSERT_EQ(all.size(), 2u) << bad;
    EXPECT_FALSE(all[0].ok()) << bad;
    EXPECT_TRUE(all[1].ok()) << bad;
  }
  const auto deep =
      messagesOf("Content-Length: 2000000\r\n\r\n" + std::string(2'000'000, '[') + framed({{"brackets", std::string(99, '[') + "\""}}));
  ASSERT_EQ(deep.size(), 2u);
  EXPECT_FALSE(deep[0].ok());
  EXPECT_TRUE(deep[1].ok());  // the near miss: in a text
}

TEST(DapMessages, WhatIsTooLargeEndsTheConversation) {
  for (const std::string& bad : {std::string(10'000, 'x'), std::string("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n"),
                                 std::string("Content-Length: 999999999\r\n\r\n")}) {
    MessageReader reader;
    reader.add(bad);
    const auto message = reader.next();
    ASSERT_TRUE(message && !message->ok());
    EXPECT_TRUE(reader.isLost());
    EXPECT_FALSE(reader.next());
  }
}

// An adapter with a kernel, and what it sends.
class Fed : public testing::Test {
 protected:
  std::vector<Json> feed(const Json& message) {
    sent_.clear();
    adapter_.handle(message);
    return sent_;
  }
  // The one response to it; null where there is not one.
  Json ask(const std::string& command, const Json& arguments = Json::object()) {
    Json out;
    for (const Json& m : feed({{"seq", ++sequence_}, {"type", "request"}, {"command", command}, {"arguments", arguments}})) {
      if (m["type"] != "response") continue;
      EXPECT_TRUE(out.is_null()) << command << " has two responses";
      EXPECT_EQ(m["request_seq"], sequence_);
      out = m;
    }
    EXPECT_FALSE(out.is_null()) << command << arguments;
    return out;
  }
  void launch() {
    ask("initialize", {{"adapterID", "test"}});
    ASSERT_TRUE(ask("launch", {{"program", "box-blur/double/naive"}, {"stopOnEntry", true}})["success"].get<bool>());
    ask("configurationDone");
    ask("threads");
    ask("stackTrace", {{"threadId", 1}});
    ask("scopes", {{"frameId", 1}});
  }

  std::vector<Json> sent_;
  int sequence_ = 0;
  Adapter adapter_{[](const std::vector<std::string>& words, const std::string&) -> Expected<Launched> {
                     SessionArguments a;
                     a.subject.text = words.empty() ? "" : words[0];
                     a.subject.kernel.size = "3x2";
                     auto opened = openForDebugging(a);
                     if (!opened) return opened.error();
                     return Launched{std::move(*opened), {}};
                   },
                   [this](const Json& m) { sent_.push_back(m); }, [] { return false; }};
};

TEST_F(Fed, NothingIsDoneBeforeALaunch) {
  for (const char* command : {"continue", "threads", "stackTrace", "evaluate", "setBreakpoints", "restart", "configurationDone"})
    EXPECT_THAT(ask(command).dump(), HasSubstr("nothing is launched"));
  EXPECT_FALSE(ask("launch", {{"program", "no/such"}})["success"].get<bool>());
  EXPECT_FALSE(ask("launch", {{"program", 7}})["success"].get<bool>());
  EXPECT_FALSE(ask("fly")["success"].get<bool>());
  for (const Json& m : {Json::object(), Json{{"type", "request"}}, Json{{"type", 3}, {"seq", "x"}, {"command", {}}}})
    EXPECT_EQ(feed(m).size(), 1u) << m;
  EXPECT_TRUE(feed({{"type", "response"}, {"seq", 1}, {"command", "x"}}).empty());
  launch();
}

// Every request with arguments of its own that are changed at random: missing, of another type, out of range, of others.
TEST_F(Fed, GarbledRequestsGetOneResponse) {
  launch();
  const Json source{{"path", "box_blur_naive.comp"}};
  const std::vector<std::pair<const char*, Json>> good{
      {"stackTrace", {{"threadId", 1}, {"startFrame", 0}, {"levels", 20}}},
      {"scopes", {{"frameId", 1}}},
      {"variables", {{"variablesReference", 1}, {"start", 0}, {"count", 10}, {"filter", "named"}, {"format", {{"hex", true}}}}},
      {"evaluate", {{"expression", "gl_GlobalInvocationID.x + 1u"}, {"frameId", 1}, {"context", "watch"}}},
      {"evaluate", {{"expression", "info locals"}, {"context", "repl"}}},
      {"setBreakpoints",
       {{"source", source}, {"breakpoints", {{{"line", 12}, {"condition", "at.x == 1"}, {"hitCondition", "2"}, {"logMessage", "{at}"}}}}}},
      {"setFunctionBreakpoints", {{"breakpoints", {{{"name", "main"}, {"hitCondition", "% 2"}}}}}},
      {"setInstructionBreakpoints", {{"breakpoints", {{{"instructionReference", "0x100000014"}, {"offset", 0}}}}}},
      {"setDataBreakpoints", {{"breakpoints", {{{"dataId", "x"}, {"accessType", "read"}}}}}},
      {"dataBreakpointInfo", {{"variablesReference", 1}, {"name", "at"}}},
      {"setExceptionBreakpoints", {{"filters", {"step limit"}}}},
      {"breakpointLocations", {{"source", source}, {"line", 1}, {"endLine", 90}}},
      {"completions", {{"text", "print a"}, {"column", 8}}},
      {"source", {{"sourceReference", 1}}},
      {"disassemble", {{"memoryReference", "0x100000000"}, {"instructionOffset", -3}, {"instructionCount", 9}}},
      {"readMemory", {{"memoryReference", "0x10000000000"}, {"offset", 0}, {"count", 16}}},
      {"next", {{"threadId", 1}, {"granularity", "line"}}},
      {"stepBack", {{"threadId", 1}}},
      {"restartFrame", {{"frameId", 1}}},
      {"exceptionInfo", {{"threadId", 1}}},
      {"continue", {{"threadId", 1}}},
      {"reverseContinue", {{"threadId", 1}}}};
  std::mt19937 random(7);
  const std::vector<Json> odd{nullptr,
                              true,
                              -1,
                              0,
                              1,
                              7,
                              2147483647,
                              -2147483648LL,
                              18446744073709551615ULL,
                              1e300,
                              "",
                              "x",
                              "}{",
                              "0x",
                              "\xff\xfe",
                              "0xffffffffffffffff",
                              "% 0",
                              "((((",
                              std::string(3000, '('),
                              Json::array(),
                              Json::object(),
                              {{"path", 3}},
                              {{{"line", -5}}}};
  std::map<std::string, int> fine;
  for (int i = 0; i < 4000; ++i) {
    auto [command, arguments] = good[random() % good.size()];
    // One value, at any depth, becomes another.
    const Json flat = arguments.flatten();
    for (std::size_t damage = random() % 3; damage > 0; --damage) {
      const auto at = std::next(flat.begin(), static_cast<std::ptrdiff_t>(random() % flat.size()));
      Json::json_pointer place(at.key());
      if (random() % 4 == 0) place = place.parent_pointer();
      if (arguments.contains(place)) arguments[place] = odd[random() % odd.size()];
    }
    fine[command] += ask(command, arguments)["success"].get<bool>();
    if (i % 16 == 0) {  // so that frames and variables are there
      ask("stackTrace", {{"threadId", 1}});
      ask("scopes", {{"frameId", 1}});
    }
  }
  for (const auto& [command, arguments] : good)
    EXPECT_TRUE(fine[command] > 0 || std::string(command) == "exceptionInfo") << command << ": nothing got as far";
}

}  // namespace
}  // namespace lanewise::dap
