// A kernel description with its modules, and the row of the catalogue that it becomes. Every command then treats it as a built-in kernel.
//
// Opening reads the modules and checks the description against what they declare: bindings, push and specialization constants. Every error
// names line and column.
#pragma once

#include <memory>

#include "model/spirv/interface.h"
#include "tools/catalogue/catalogue.h"
#include "tools/described/description.h"
#include "tools/described/recorded.h"
#include "tools/described/reference_program.h"
#include "tools/run/source_text.h"

namespace lanewise {

class Model;

// A module as a dispatch runs it.
struct OpenModule {
  std::shared_ptr<const ShaderModule> module;
  std::shared_ptr<const Interface> interface;
  const InterfaceEntry* entry = nullptr;
};

// A scalar of the push constants, or a specialization constant.
struct TypedFormula {
  std::uint32_t at = 0;  // the byte, or the id
  ValueType type;
  bool truth = false;  // a boolean: 0 or 1
  const Formula* value = nullptr;
  std::string name;  // for errors
};

// A dispatch with what its module declares.
struct OpenDispatch {
  const DescribedDispatch* says = nullptr;
  OpenModule code;
  std::vector<TypedFormula> push, spec;
  std::vector<Address> pushAddresses;
  std::uint32_t pushBytes = 0;
  struct Bound {
    Slot slot;
    std::string resource;
    const DescribedBinding* says = nullptr;  // nullptr: by the resource's own name
    Format format = Format::UNDEFINED;       // of a texel buffer
  };
  std::vector<Bound> bindings;
};

struct OpenDescription {
  Description says;
  std::vector<OpenModule> modules;
  std::vector<OpenDispatch> dispatches, reference;
  std::vector<std::vector<std::byte>> files;  // for each resource: what its file or its typed values hold
  const Kernel* judge = nullptr;              // the built-in kernel whose contract it has
  std::shared_ptr<Model> model;               // for results that come from runs
  std::shared_ptr<ReferenceProgram> program;
  std::map<std::string, const DescribedReference::File*, std::less<>> expected;  // by pointText
  std::string recordedFile;                                                      // empty: its results are not recorded ones
  Recorded recorded;

  // The values of the scope's names in a case.
  std::vector<std::int64_t> valuesOf(const Case& c) const;
  // The first resource that has the case's input; nullptr if there is none.
  const DescribedResource* input() const;
};

// Every Error is bad input, kIoError, or unsupported. The kernel's name is the file's, as it is given.
// `stop`, set from outside: runs on the model that say what is right end as interrupted.
Expected<std::shared_ptr<const Kernel>> openDescription(const std::string& file, const KeptIn& keptIn = {},
                                                        const std::atomic<bool>* stop = nullptr);
// The same for a text, with files beside `file`.
Expected<std::shared_ptr<const Kernel>> openDescription(const std::string& file, const std::string& text);
// Whether a file is a description, by its ending.
bool isDescriptionFile(std::string_view file);

// Its modules, and what each dispatch has of them (open_dispatch.cpp).
Expected<OpenModule> openModule(const DescribedModule& module, const std::string& description, const KeptIn& keptIn = {});
Expected<OpenDispatch> openDispatch(const DescribedDispatch& says, const OpenModule& code, const Description& description);

// The job of a case (described_job.cpp). Without `bytes` no resource is filled in: only what is said of it is checked.
Expected<Job> describedJob(const OpenDescription& open, std::span<const OpenDispatch> dispatches, const Case& c, const golden::Image& input,
                           bool bytes = true);
InputShape describedInput(const OpenDescription& open, const Case& c);
// Outputs as images, with the bytes of `run`, in the order of the job.
Expected<std::vector<golden::Image>> describedOutputs(const OpenDescription& open, const Case& c, RunResult run);

// The same images without their bytes.
Expected<std::vector<golden::Image>> describedShapes(const OpenDescription& open, const Case& c);
// The part of a case's name on which its results depend, without the kernel's: "33x65 radius=7 input=noise:1".
std::string pointText(const Case& c);

// Gives the kernel what says what its results are (references.cpp).
Status setReference(Kernel& kernel, const std::shared_ptr<OpenDescription>& open);
// What the kernel's own run on the model gives.
Expected<std::vector<golden::Image>> resultOnModel(const OpenDescription& open, const Case& c, const golden::Image& input);

// A described kernel of which results are recorded, for `golden approve`.
struct RecordedKernel {
  std::shared_ptr<const Kernel> kernel;
  std::shared_ptr<const OpenDescription> open;
};
// Bad input: its results are not recorded ones.
Expected<RecordedKernel> openRecorded(const std::string& file, const KeptIn& keptIn = {});

// The quick set, by the rules of docs/descriptions.md (described_sets.cpp).
std::vector<CaseBlock> describedQuick(const OpenDescription& open);

}  // namespace lanewise
