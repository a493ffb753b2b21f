#include "model/base/text.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

TEST(Trimmed, LeavesWhatIsBetweenTheBlanks) {
  EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
  EXPECT_EQ(trimmed("a"), "a");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(ShellWord, QuotesWhatAShellWouldChange) {
  for (const char* plain : {"blur.spv", "0:1=u32:1,2", "a-b_c/d@e", "--spec"}) EXPECT_EQ(shellWord(plain), plain);
  EXPECT_EQ(shellWord("it's.spv"), "'it'\\''s.spv'");
  for (const char* word : {"", "a b", "a{1,2}.spv", "*.spv", "b?", "~/a", "$x", "a;b", "o[2]", "a\nb"})
    EXPECT_EQ(shellWord(word), "'" + std::string(word) + "'");
}

TEST(EndsWithFile, TakesWholeNamesOnly) {
  EXPECT_TRUE(endsWithFile("shaders/blur.comp", "blur.comp"));
  EXPECT_TRUE(endsWithFile("blur.comp", "blur.comp"));
  EXPECT_TRUE(endsWithFile("a/shaders/blur.comp", "shaders/blur.comp"));
  EXPECT_FALSE(endsWithFile("shaders/unblur.comp", "blur.comp"));
  EXPECT_FALSE(endsWithFile("blur.comp", "shaders/blur.comp"));
}

// The examples of RFC 4648, section 10.
TEST(Base64, IsTheOneOfTheRfc) {
  for (const auto& [text, code] : {std::pair("", ""), {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}}) {
    const std::span<const std::byte> bytes = std::as_bytes(std::span(std::string_view(text)));
    EXPECT_EQ(base64(bytes), code);
    const auto back = fromBase64(code);
    ASSERT_TRUE(back) << code;
    EXPECT_TRUE(std::ranges::equal(*back, bytes)) << code;
  }
  EXPECT_TRUE(fromBase64("Zg")) << "without padding";
  for (const char* bad : {"Z", "Zm9vY", "Zm=v", "Zm9\n", "Zm-v"}) EXPECT_FALSE(fromBase64(bad)) << bad;
}

}  // namespace
}  // namespace lanewise
