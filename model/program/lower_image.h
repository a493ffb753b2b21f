// Images and samplers (lowering.h).
#pragma once

#include "model/program/lower_arithmetic.h"

namespace lanewise {

class ImageLowering : public ArithmeticLowering {
 protected:
  using ArithmeticLowering::ArithmeticLowering;

  // True if the instruction was one of these; so is an atomic on a texel.
  bool image(const Inst& inst);

 private:
  struct ImageOperands {  // what an instruction has; nullptr: it has not
    const Val *bias = nullptr, *lod = nullptr, *dx = nullptr, *dy = nullptr, *offset = nullptr, *offsets = nullptr, *sample = nullptr,
              *minLod = nullptr;
    std::uint32_t order = 0;  // ir::Order
  };
  ImageOperands imageOperands(std::span<const std::uint32_t> w);
  std::uint32_t imageAccess(const Pointer& p, const Type* image);
  Val handleOf(std::uint32_t id);
  std::optional<Pointer> imageOf(const Inst& inst, const Type*& type);
  Value elementIn(const Pointer& descriptors);
  Values texelArguments(const Pointer& p, const Type& image, const Val& coordinate);
  void texelOperands(const ImageOperands& given, const Val& coordinate, ir::ImageAccess& a, Values& args);
  void defineTexel(const Inst& inst, Value operation, const Type& texel, bool sparse);
  Value asFloat(Value v);
  Value asInteger(const Val& v, std::uint32_t leaf, bool isOffset = false);
  Value asOffset(const Val& v, std::uint32_t leaf, std::uint32_t variable);
  Values quadGradient(std::span<const Value> coordinates);
  void sample(const Inst& inst, const ir::SampleForm& form);
  void readTexel(const Inst& inst, bool sparse);
  void writeTexel(const Inst& inst);
  void queryImage(const Inst& inst);
  void fragmentMask(const Inst& inst);
  void texelPointer(const Inst& inst);
  bool texelAtomic(const Inst& inst);
};

}  // namespace lanewise
