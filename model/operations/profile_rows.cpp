#include "model/operations/profile_rows.h"

#include <fmt/format.h>

namespace lanewise {
namespace {

using spv::ExecutionMode;

struct FloatModeRow {
  ExecutionMode mode;
  const char* name;
  bool FloatControls::*supported;
  Independence Profile::*independence;  // nullptr: each width for itself
  void (*apply)(scalar::Mode&);
};

// SignedZeroInfNanPreserve changes nothing: the model always preserves them.
constexpr FloatModeRow kFloatModes[] = {
    {ExecutionMode::DenormPreserve, "DenormPreserve", &FloatControls::denormPreserve, &Profile::denormIndependence,
     [](scalar::Mode& m) { m.denormals = Denormals::kPreserve; }},
    {ExecutionMode::DenormFlushToZero, "DenormFlushToZero", &FloatControls::denormFlushToZero, &Profile::denormIndependence,
     [](scalar::Mode& m) { m.denormals = Denormals::kFlush; }},
    {ExecutionMode::SignedZeroInfNanPreserve, "SignedZeroInfNanPreserve", &FloatControls::signedZeroInfNanPreserve, nullptr,
     [](scalar::Mode&) {}},
    {ExecutionMode::RoundingModeRTE, "RoundingModeRTE", &FloatControls::roundingModeRTE, &Profile::roundingIndependence,
     [](scalar::Mode& m) { m.rounding = Rounding::kToNearestEven; }},
    {ExecutionMode::RoundingModeRTZ, "RoundingModeRTZ", &FloatControls::roundingModeRTZ, &Profile::roundingIndependence,
     [](scalar::Mode& m) { m.rounding = Rounding::kTowardZero; }},
};

struct DeclaredMode {
  const FloatModeRow* row;
  std::uint32_t width;
};

// Two widths that declare different modes where the profile makes one choice for both (Vulkan, "Validation Rules within a Module",
// VUID-RuntimeSpirv-denormBehaviorIndependence and -roundingModeIndependence). A width that declares none restricts no other.
Status refuseMixed(const DeclaredMode& mode, std::span<const DeclaredMode> declared, const Profile& profile, const std::string& module) {
  for (const DeclaredMode& other : declared) {
    if (other.row == mode.row || mode.row->independence == nullptr || other.row->independence != mode.row->independence) continue;
    if (!makeOneChoice(profile.*mode.row->independence, mode.width, other.width)) continue;
    return Error{Outcome::kUnsupported,
                 fmt::format("the profile '{}' does not take {} for {}-bit and {} for {}-bit floats together", profile.name,
                             other.row->name, other.width, mode.row->name, mode.width),
                 module, "declare the same for both, or choose another profile"};
  }
  return {};
}

}  // namespace

Expected<Choices> choicesOf(const spirv::Module& module, const std::string& entryPoint, const Profile& profile) {
  Choices c{
      profile, {profile.rounding, profile.denormals16}, {profile.rounding, profile.denormals}, {profile.rounding, profile.denormals64}};
  std::vector<DeclaredMode> declared;
  const spirv::EntryPoint* const entry = module.computeEntry(entryPoint);
  for (const spirv::ExecutionMode& declaration : module.executionModes) {
    if (!entry || declaration.function != entry->function) continue;
    for (const FloatModeRow& row : kFloatModes) {
      if (declaration.mode != row.mode) continue;
      const std::uint32_t width = declaration.operand(0);
      const FloatControls& taken = width == 16 ? profile.float16 : width == 64 ? profile.float64 : profile.float32;
      if (!(taken.*row.supported))
        return Error{Outcome::kUnsupported,
                     fmt::format("the profile '{}' does not take {} for {}-bit floats", profile.name, row.name, width), module.name,
                     "leave the execution mode out, or choose another profile"};
      if (Status mixed = refuseMixed({&row, width}, declared, profile, module.name)) return *mixed;
      declared.push_back({&row, width});
      row.apply(width == 16 ? c.mode16 : width == 64 ? c.mode64 : c.mode32);
    }
  }
  return c;
}

OpRows::OpRows(const Choices& choices) {
  addArithmeticChoices(chosen_, choices);
  addGlslChoices(chosen_, choices);
  addTranscendentalChoices(chosen_, choices);
  addRobustnessChoices(chosen_, choices);
}

}  // namespace lanewise
