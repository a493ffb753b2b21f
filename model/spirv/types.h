// Resolved SPIR-V types: sizes after specialization, layouts, and the flattening of a composite into scalars ("leaves") in order.
//
// Source: SPIR-V 1.6, 3.42.6 "Type-Declaration Instructions"; Vulkan 1.3, "Offset and Stride Assignment". declarations.h makes them. Types
// nest at most kMaxNesting deep, so code on them may recurse; a pointer ends the nesting.
#pragma once

#include <cstdint>
#include <memory>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <vector>

#include "model/scalar/type.h"

namespace lanewise {

const char* scalarName(Scalar s);  // "bool", "i8", ... "f64"

inline constexpr std::uint32_t kMaxNesting = 256;       // SPIR-V's limit for structures is 255
inline constexpr std::uint32_t kMaxLeaves = 1u << 20;   // of one value: where there are more, Type::leaves says kMaxLeaves + 1
inline constexpr std::uint32_t kMaxNatural = 1u << 31;  // Type::naturalSize stops here

struct Type {
  enum class Kind : std::uint8_t {
    kVoid,
    kScalar,
    kVector,
    kMatrix,
    kArray,
    kRuntimeArray,
    kStruct,
    kPointer,
    kImage,
    kSampler,
    kSampledImage,
    kFunction,
    kOther
  };

  Kind kind = Kind::kVoid;
  std::uint32_t id = 0;
  Scalar scalar = Scalar::kNone;  // kScalar
  bool isSigned = false;          // kScalar integers
  const Type* element = nullptr;  // vector: scalar; matrix: column; array: element; pointer: pointee; sampled image: image
  std::uint32_t count = 0;        // components, columns, elements
  std::uint32_t stride = 0;       // ArrayStride; 0 without an explicit layout
  spv::StorageClass storage{};    // kPointer

  struct Member {
    const Type* type = nullptr;
    std::uint32_t offset = 0;        // Offset decoration
    std::uint32_t matrixStride = 0;  // of the member, or of the array of matrices in it
    bool rowMajor = false;
    std::uint32_t firstLeaf = 0;
    std::uint32_t naturalOffset = 0;
    std::string name;
  };
  std::vector<Member> members;     // kStruct
  std::uint64_t laidOutBytes = 0;  // kStruct: to the end of its last scalar, as the members' decorations say

  // kImage: the operands of OpTypeImage.
  spv::Dim dim{};
  std::uint32_t depth = 0, arrayed = 0, multisampled = 0, sampled = 0;
  std::uint32_t imageFormat = 0;

  // The number of scalars in the flattened value; 0 for opaque and unsized types. A pointer to physical storage is its address (64 bits).
  // Any other pointer is the byte offset and its base (32 bits each).
  std::uint32_t leaves = 0;

  // For memory without layout decorations (workgroup variables): every scalar is at its own alignment, without other padding.
  std::uint32_t naturalSize = 0, naturalAlign = 1;
  std::uint32_t naturalStride() const { return (naturalSize + naturalAlign - 1) / naturalAlign * naturalAlign; }

  bool isAggregate() const { return kind == Kind::kArray || kind == Kind::kStruct || kind == Kind::kMatrix || kind == Kind::kVector; }
  // The number of direct constituents, and the i-th one's type and first leaf.
  std::uint32_t constituents() const { return kind == Kind::kStruct ? static_cast<std::uint32_t>(members.size()) : count; }
  const Type* constituent(std::uint32_t i) const { return kind == Kind::kStruct ? members[i].type : element; }
  std::uint32_t constituentLeaf(std::uint32_t i) const { return kind == Kind::kStruct ? members[i].firstLeaf : i * element->leaves; }
};

// The number of coordinates of a point in an image, without the array layer; for a cube those of the direction.
constexpr std::uint32_t imageAxes(spv::Dim dim) {
  return dim == spv::Dim::Dim1D || dim == spv::Dim::Buffer ? 1 : dim == spv::Dim::Dim3D || dim == spv::Dim::Cube ? 3 : 2;
}

// The scalar type of leaf `leaf` of a flattened type.
Scalar leafScalar(const Type& type, std::uint32_t leaf);

// Fills the natural layout of a type whose parts have theirs.
void layOutNaturally(Type& type);
// Fills the leaves of a vector, matrix, array or structure whose parts have theirs.
void countLeaves(Type& type);

// The layout of matrices in a composite with explicit layout: the stride and majority are inherited from the struct member.
struct MatrixLayout {
  std::uint32_t stride = 0;
  bool rowMajor = false;
};

// Bytes from the start of a laid-out object to the end of its last scalar. A runtime array counts 0 elements. Never above 2^62.
std::uint64_t laidOutSize(const Type& type, MatrixLayout matrix = {});
// Fills a structure's laidOutBytes; its parts have theirs.
void layOutMembers(Type& type);
// The bytes of one element of the runtime array at the end of a block; 0 without one.
std::uint32_t runtimeStride(const Type& block);

}  // namespace lanewise
