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
