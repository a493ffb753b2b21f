// What a module says of its accesses, atomics and barriers is in the decoded program: by operands, by decorations, and as glslang writes
// it.
#include <fmt/format.h>

#include "tests/model/program/decoded.h"

namespace lanewise::text {
namespace {

using ir::Order;

constexpr std::uint32_t kDevice = 1, kWorkgroup = 2, kSubgroup = 3, kQueueFamily = 5;

// One kernel with a buffer of words %b, an image %image and a workgroup word %s; pointers %at, %next and %shared lead to words.
std::shared_ptr<const Program> kernel(const std::string& body, const std::string& decorations = "", bool vulkan = true) {
  return decoded(
      assembled(fmt::format(R"(
    OpCapability Shader
    {2}
    OpMemoryModel Logical {3}
    OpEntryPoint GLCompute %main "main" %b %s %image
    OpExecutionMode %main LocalSize 1 1 1
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpMemberDecorate %block 1 Offset 4
    OpDecorate %b DescriptorSet 0
    OpDecorate %b Binding 0
    OpDecorate %image DescriptorSet 0
    OpDecorate %image Binding 1
    {1}
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %texel = OpTypeVector %uint 4
    %point = OpTypeVector %uint 2
    %zero = OpConstant %uint 0
    %one = OpConstant %uint 1
    %device = OpConstant %uint 1
    %workgroup = OpConstant %uint 2
    %subgroup = OpConstant %uint 3
    %relaxed = OpConstant %uint 0
    %acquire = OpConstant %uint 0x42
    %release = OpConstant %uint 0x44
    %both = OpConstant %uint 0x148
    %volatile = OpConstant %uint 0x8048
    %origin = OpConstantNull %point
    %block = OpTypeStruct %uint %uint
    %pointer = OpTypePointer StorageBuffer %block
    %word = OpTypePointer StorageBuffer %uint
    %shared_word = OpTypePointer Workgroup %uint
    %picture = OpTypeImage %uint 2D 0 0 0 2 R32ui
    %picture_at = OpTypePointer UniformConstant %picture
    %texel_at = OpTypePointer Image %uint
    %b = OpVariable %pointer StorageBuffer
    %s = OpVariable %shared_word Workgroup
    %image = OpVariable %picture_at UniformConstant
    %main = OpFunction %void None %function
    %entry = OpLabel
    %at = OpAccessChain %word %b %zero
    %next = OpAccessChain %word %b %one
    {0}
    OpReturn
    OpFunctionEnd
  )",
                            body, decorations, vulkan ? "OpCapability VulkanMemoryModel\nOpCapability VulkanMemoryModelDeviceScope" : "",
                            vulkan ? "Vulkan" : "GLSL450")));
}

Order orderAt(const Program& program, ir::Code op, std::size_t which = 0) {
  const std::vector<std::uint32_t> found = instructionsOf(program, op);
  if (which >= found.size()) {
    ADD_FAILURE() << "the program has " << found.size() << " of these instructions";
    return {};
  }
  return program.orders[program.info[found[which]].order];
}

TEST(Order, OperandsOfALoadAndAStore) {
  const auto p = kernel(R"(
    %x = OpLoad %uint %at Volatile|Aligned|Nontemporal 16
    OpStore %next %x Aligned|MakePointerAvailable|NonPrivatePointer 4 %device
    %y = OpLoad %uint %at MakePointerVisible|NonPrivatePointer %subgroup
    OpStore %next %y
  )");
  EXPECT_EQ(orderAt(*p, ir::kLoad, 0), (Order{.flags = Order::kVolatile, .alignment = 16}));
  EXPECT_EQ(orderAt(*p, ir::kStore, 0), (Order{.flags = Order::kMakeAvailable | Order::kNonPrivate, .available = kDevice, .alignment = 4}));
  EXPECT_EQ(orderAt(*p, ir::kLoad, 1), (Order{.flags = Order::kMakeVisible | Order::kNonPrivate, .visible = kSubgroup}));
  EXPECT_EQ(orderAt(*p, ir::kStore, 1), Order{}) << "a plain store is private";
}

TEST(Order, OfACopyEachSideHasItsOwn) {
  const auto two = kernel("OpCopyMemory %next %at Aligned|MakePointerAvailable|NonPrivatePointer 4 %device Aligned|Volatile 8");
  EXPECT_EQ(orderAt(*two, ir::kStore), (Order{.flags = Order::kMakeAvailable | Order::kNonPrivate, .available = kDevice, .alignment = 4}));
  EXPECT_EQ(orderAt(*two, ir::kLoad), (Order{.flags = Order::kVolatile, .alignment = 8}));
  const auto one = kernel("OpCopyMemory %next %at Aligned|MakePointerAvailable|MakePointerVisible|NonPrivatePointer 4 %device %workgroup");
  EXPECT_EQ(orderAt(*one, ir::kStore), (Order{.flags = Order::kMakeAvailable | Order::kNonPrivate, .available = kDevice, .alignment = 4}));
  EXPECT_EQ(orderAt(*one, ir::kLoad), (Order{.flags = Order::kMakeVisible | Order::kNonPrivate, .visible = kWorkgroup, .alignment = 4}));
}

TEST(Order, AtomicsAreNonPrivateAndAvailableToTheirScope) {
  const auto p = kernel(R"(
    %l = OpAtomicLoad %uint %at %device %acquire
    OpAtomicStore %at %workgroup %release %l
    %a = OpAtomicIAdd %uint %at %subgroup %volatile %one
    %c = OpAtomicCompareExchange %uint %at %device %both %acquire %one %zero
  )");
  const std::uint32_t atomic = Order::kAtomic | Order::kNonPrivate;
  EXPECT_EQ(orderAt(*p, ir::kAtomic, 0),
            (Order{.flags = atomic | Order::kMakeVisible, .scope = kDevice, .semantics = 0x42, .visible = kDevice}));
  EXPECT_EQ(orderAt(*p, ir::kAtomic, 1),
            (Order{.flags = atomic | Order::kMakeAvailable, .scope = kWorkgroup, .semantics = 0x44, .available = kWorkgroup}));
  EXPECT_EQ(orderAt(*p, ir::kAtomic, 2), (Order{.flags = atomic | Order::kVolatile | Order::kMakeVisible | Order::kMakeAvailable,
                                                .scope = kSubgroup,
                                                .semantics = 0x8048,
                                                .available = kSubgroup,
                                                .visible = kSubgroup}));
  const Order exchange = orderAt(*p, ir::kAtomic, 3);
  EXPECT_EQ(exchange.semantics, 0x148u);
  EXPECT_EQ(exchange.unequal, 0x42u);
}

TEST(Order, BarriersKeepTheirScopesAndSemantics) {
  const auto p = kernel(R"(
    OpControlBarrier %workgroup %device %both
    OpControlBarrier %subgroup %subgroup %relaxed
    OpMemoryBarrier %device %acquire
  )");
  EXPECT_EQ(orderAt(*p, ir::kControlBarrier, 0), (Order{.scope = kDevice, .execution = kWorkgroup, .semantics = 0x148}));
  EXPECT_EQ(orderAt(*p, ir::kControlBarrier, 1), (Order{.scope = kSubgroup, .execution = kSubgroup, .semantics = 0}));
  EXPECT_EQ(orderAt(*p, ir::kMemoryBarrier), (Order{.scope = kDevice, .semantics = 0x42}));
}

TEST(Order, OperandsOfTexels) {
  const auto p = kernel(R"(
    %i = OpLoad %picture %image
    %x = OpImageRead %texel %i %origin MakeTexelVisible|NonPrivateTexel %workgroup
    OpImageWrite %i %origin %x MakeTexelAvailable|NonPrivateTexel|VolatileTexel %device
    %y = OpImageRead %texel %i %origin
    OpImageWrite %i %origin %y
    %t = OpImageTexelPointer %texel_at %image %origin %zero
    %a = OpAtomicIAdd %uint %t %device %both %one
  )");
  EXPECT_EQ(orderAt(*p, ir::kImageRead, 0), (Order{.flags = Order::kMakeVisible | Order::kNonPrivate, .visible = kWorkgroup}));
  EXPECT_EQ(orderAt(*p, ir::kImageWrite, 0),
            (Order{.flags = Order::kMakeAvailable | Order::kNonPrivate | Order::kVolatile, .available = kDevice}));
  EXPECT_EQ(orderAt(*p, ir::kImageRead, 1), Order{});
  EXPECT_EQ(orderAt(*p, ir::kImageWrite, 1), Order{});
  const Order add = orderAt(*p, ir::kImageAtomic);
  EXPECT_TRUE(add.has(Order::kAtomic));
  EXPECT_EQ(add.scope, kDevice);
  EXPECT_EQ(add.semantics, 0x148u);
}

TEST(Order, DecorationsCountUnderGlsl450Alone) {
  const std::string body = R"(
    %x = OpLoad %uint %at
    OpStore %next %x
    %y = OpLoad %uint %s
    OpStore %s %y
  )";
  const auto plain = kernel(body, "", false);
  EXPECT_EQ(orderAt(*plain, ir::kLoad, 0), Order{});
  EXPECT_EQ(orderAt(*plain, ir::kStore, 0), Order{});
  EXPECT_EQ(orderAt(*plain, ir::kLoad, 1), (Order{.flags = Order::kNonPrivate | Order::kMakeVisible, .visible = kWorkgroup}))
      << "workgroup memory is always coherent";
  EXPECT_EQ(orderAt(*plain, ir::kStore, 1), (Order{.flags = Order::kNonPrivate | Order::kMakeAvailable, .available = kWorkgroup}));
  const auto variable = kernel(body, "OpDecorate %b Coherent\nOpDecorate %b Volatile", false);
  EXPECT_EQ(orderAt(*variable, ir::kLoad, 0),
            (Order{.flags = Order::kNonPrivate | Order::kMakeVisible | Order::kVolatile, .visible = kQueueFamily}));
  const auto member = kernel(body, "OpMemberDecorate %block 1 Coherent", false);
  EXPECT_EQ(orderAt(*member, ir::kLoad, 0), Order{}) << "the other member";
  EXPECT_EQ(orderAt(*member, ir::kStore, 0), (Order{.flags = Order::kNonPrivate | Order::kMakeAvailable, .available = kQueueFamily}));
  const auto vulkan = kernel(body);
  EXPECT_EQ(orderAt(*vulkan, ir::kLoad, 1), Order{}) << "under VulkanKHR the operands say it, of workgroup memory too";
}

TEST(Order, OfAWholeStructureEachMemberHasItsOwn) {
  const auto p = kernel("%x = OpLoad %block %b\nOpStore %b %x", "OpMemberDecorate %block 0 Coherent", false);
  EXPECT_TRUE(orderAt(*p, ir::kLoad, 0).has(Order::kNonPrivate));
  EXPECT_EQ(orderAt(*p, ir::kLoad, 1), Order{});
}

// Two equal loads of what nobody writes become one; but not where the module says different things of them, nor volatile ones.
TEST(Order, OnlyEqualAccessesAreShared) {
  const auto loads = [](const std::string& first, const std::string& second) {
    const std::string body =
        fmt::format("%x = OpLoad %uint %at {}\n%y = OpLoad %uint %at {}\n%z = OpIAdd %uint %x %y\nOpStore %s %z", first, second);
    return instructionsOf(*kernel(body, "OpDecorate %b NonWritable"), ir::kLoad).size();
  };
  EXPECT_EQ(loads("", ""), 1u);
  EXPECT_EQ(loads("Aligned 8", "Aligned 8"), 1u);
  EXPECT_EQ(loads("", "NonPrivatePointer"), 2u);
  EXPECT_EQ(loads("Aligned 4", "Aligned 8"), 2u);
  EXPECT_EQ(loads("Volatile", "Volatile"), 2u);
}

TEST(Order, AVolatileLoadStaysThoughNobodyUsesIt) {
  EXPECT_EQ(instructionsOf(*kernel("%x = OpLoad %uint %at"), ir::kLoad).size(), 0u);
  EXPECT_EQ(instructionsOf(*kernel("%x = OpLoad %uint %at Volatile"), ir::kLoad).size(), 1u);
}

TEST(Order, GlslQualifiersAsGlslangWritesThem) {
  const auto p = decodedProgram("access_orders.comp");
  const auto on = [&](ir::Code op, std::uint32_t line) {
    const std::vector<std::uint32_t> found = instructionsOf(*p, op, line);
    EXPECT_EQ(found.size(), 1u) << "line " << line;
    return found.empty() ? Order{} : p->orders[p->info[found[0]].order];
  };
  const Order read{.flags = Order::kNonPrivate | Order::kMakeVisible, .visible = kQueueFamily};
  const Order write{.flags = Order::kNonPrivate | Order::kMakeAvailable, .available = kQueueFamily};
  EXPECT_EQ(on(ir::kLoad, 20), read);
  EXPECT_EQ(on(ir::kStore, 20), Order{}) << "the output is not coherent";
  EXPECT_EQ(on(ir::kStore, 21), write);
  EXPECT_EQ(on(ir::kLoad, 22), (Order{.flags = read.flags | Order::kVolatile, .visible = kQueueFamily}));
  EXPECT_EQ(on(ir::kLoad, 23), read);
  EXPECT_EQ(on(ir::kLoad, 24), Order{}) << "the plain member beside the coherent one";
  EXPECT_EQ(on(ir::kImageRead, 25), read);
  EXPECT_EQ(on(ir::kImageWrite, 26), write);
  EXPECT_EQ(on(ir::kControlBarrier, 28), (Order{.scope = kWorkgroup, .execution = kWorkgroup, .semantics = 0x108}));
  EXPECT_EQ(on(ir::kLoad, 29), (Order{.flags = read.flags, .visible = kWorkgroup}));
  EXPECT_EQ(on(ir::kAtomic, 30).scope, kDevice);
  EXPECT_EQ(on(ir::kMemoryBarrier, 31).semantics, 0x48u);
  EXPECT_EQ(instructionsOf(*p, ir::kLoad, 32).size(), 1u) << "a volatile read that nobody uses";
}

TEST(Order, TheVulkanMemoryModelAsGlslangWritesIt) {
  const auto p = decodedProgram("memory_model.comp");
  EXPECT_EQ(orderAt(*p, ir::kControlBarrier), (Order{.scope = kWorkgroup, .execution = kWorkgroup, .semantics = 0x108}));
  const Order add = orderAt(*p, ir::kAtomic);
  EXPECT_EQ(add.scope, kDevice);
  EXPECT_EQ(add.semantics, 0x48u);
  EXPECT_EQ(orderAt(*p, ir::kMemoryBarrier), (Order{.scope = kDevice, .semantics = 0x48}));
  EXPECT_EQ(orderAt(*p, ir::kStore, 0), (Order{.flags = Order::kMakeAvailable | Order::kNonPrivate, .available = kWorkgroup}));
  EXPECT_EQ(orderAt(*p, ir::kLoad, 0), (Order{.flags = Order::kMakeVisible | Order::kNonPrivate, .visible = kWorkgroup}));
  EXPECT_EQ(orderAt(*p, ir::kStore, 1), Order{});
}

}  // namespace
}  // namespace lanewise::text
