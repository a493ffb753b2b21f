// The part of LLVM's C interface that the compiled tier uses, from the shared library that Mesa's lavapipe brings along: Debian 12 has
// libLLVM-15, Debian 13 libLLVM 19. It is loaded when the first program is compiled. So Lanewise is built without LLVM, starts without it,
// and runs where it is missing: then the interpreter runs everything.
//
// The functions and the numbers below are those of LLVM-C, which are the same in all versions from 15 on.
#pragma once

#include <cstdint>

#include "model/base/outcome.h"

namespace lanewise::llvm {

using Bool = int;
struct ContextRef_;
struct ModuleRef_;
struct TypeRef_;
struct ValueRef_;
struct BlockRef_;
struct BuilderRef_;
struct AttributeRef_;
struct TargetRef_;
struct MachineRef_;
struct DataRef_;
struct BufferRef_;
struct ErrorRef_;
struct OptionsRef_;
using Context = ContextRef_*;
using Module = ModuleRef_*;
using Type = TypeRef_*;
using Value = ValueRef_*;
using Block = BlockRef_*;
using Builder = BuilderRef_*;
using Attribute = AttributeRef_*;
using Target = TargetRef_*;
using Machine = MachineRef_*;
using Data = DataRef_*;
using Buffer = BufferRef_*;
using Error = ErrorRef_*;
using Options = OptionsRef_*;

enum Opcode : int {
  kAdd = 8,
  kFAdd,
  kSub,
  kFSub,
  kMul,
  kFMul,
  kUDiv,
  kSDiv,
  kFDiv,
  kURem,
  kSRem,
  kShl = 20,
  kLShr,
  kAShr,
  kAnd,
  kOr,
  kXor,
  kTrunc = 30,
  kZExt,
  kSExt,
  kFPToUI,
  kFPToSI,
  kUIToFP,
  kSIToFP,
  kFPTrunc,
  kFPExt,
  kPtrToInt,
  kIntToPtr,
  kBitCast
};
enum IntCompare : int {
  kEqual = 32,
  kNotEqual,
  kUGreater,
  kUGreaterEqual,
  kULess,
  kULessEqual,
  kSGreater,
  kSGreaterEqual,
  kSLess,
  kSLessEqual
};
enum RealCompare : int {
  kOEqual = 1,
  kOGreater,
  kOGreaterEqual,
  kOLess,
  kOLessEqual,
  kONotEqual,
  kOrdered,
  kUnordered,
  kUEqualReal,
  kUGreaterReal,
  kUGreaterEqualReal,
  kULessReal,
  kULessEqualReal,
  kUNotEqualReal
};

// LANEWISE_LLVM(result, name without "LLVM", parameters)
#define LANEWISE_LLVM_FUNCTIONS                                                                               \
  LANEWISE_LLVM(Context, ContextCreate, ())                                                                   \
  LANEWISE_LLVM(void, ContextDispose, (Context))                                                              \
  LANEWISE_LLVM(Module, ModuleCreateWithNameInContext, (const char*, Context))                                \
  LANEWISE_LLVM(void, DisposeModule, (Module))                                                                \
  LANEWISE_LLVM(void, SetTarget, (Module, const char*))                                                       \
  LANEWISE_LLVM(void, SetModuleDataLayout, (Module, Data))                                                    \
  LANEWISE_LLVM(char*, PrintModuleToString, (Module))                                                         \
  LANEWISE_LLVM(void, DisposeMessage, (char*))                                                                \
  LANEWISE_LLVM(Bool, VerifyModule, (Module, int, char**))                                                    \
  LANEWISE_LLVM(Type, IntTypeInContext, (Context, unsigned))                                                  \
  LANEWISE_LLVM(Type, FloatTypeInContext, (Context))                                                          \
  LANEWISE_LLVM(Type, DoubleTypeInContext, (Context))                                                         \
  LANEWISE_LLVM(Type, VoidTypeInContext, (Context))                                                           \
  LANEWISE_LLVM(Type, PointerTypeInContext, (Context, unsigned))                                              \
  LANEWISE_LLVM(Type, VectorType, (Type, unsigned))                                                           \
  LANEWISE_LLVM(Type, ArrayType, (Type, unsigned))                                                            \
  LANEWISE_LLVM(Type, FunctionType, (Type, Type*, unsigned, Bool))                                            \
  LANEWISE_LLVM(Type, TypeOf, (Value))                                                                        \
  LANEWISE_LLVM(Value, AddFunction, (Module, const char*, Type))                                              \
  LANEWISE_LLVM(Value, GetParam, (Value, unsigned))                                                           \
  LANEWISE_LLVM(Block, AppendBasicBlockInContext, (Context, Value, const char*))                              \
  LANEWISE_LLVM(Builder, CreateBuilderInContext, (Context))                                                   \
  LANEWISE_LLVM(void, DisposeBuilder, (Builder))                                                              \
  LANEWISE_LLVM(void, PositionBuilderAtEnd, (Builder, Block))                                                 \
  LANEWISE_LLVM(Block, GetInsertBlock, (Builder))                                                             \
  LANEWISE_LLVM(Value, BuildBr, (Builder, Block))                                                             \
  LANEWISE_LLVM(Value, BuildCondBr, (Builder, Value, Block, Block))                                           \
  LANEWISE_LLVM(Value, BuildSwitch, (Builder, Value, Block, unsigned))                                        \
  LANEWISE_LLVM(void, AddCase, (Value, Value, Block))                                                         \
  LANEWISE_LLVM(Value, BuildRet, (Builder, Value))                                                            \
  LANEWISE_LLVM(Value, BuildPhi, (Builder, Type, const char*))                                                \
  LANEWISE_LLVM(void, AddIncoming, (Value, Value*, Block*, unsigned))                                         \
  LANEWISE_LLVM(Value, BuildAlloca, (Builder, Type, const char*))                                             \
  LANEWISE_LLVM(Value, BuildLoad2, (Builder, Type, Value, const char*))                                       \
  LANEWISE_LLVM(Value, BuildStore, (Builder, Value, Value))                                                   \
  LANEWISE_LLVM(void, SetAlignment, (Value, unsigned))                                                        \
  LANEWISE_LLVM(void, SetVolatile, (Value, Bool))                                                             \
  LANEWISE_LLVM(Value, BuildGEP2, (Builder, Type, Value, Value*, unsigned, const char*))                      \
  LANEWISE_LLVM(Value, BuildBinOp, (Builder, int, Value, Value, const char*))                                 \
  LANEWISE_LLVM(Value, BuildCast, (Builder, int, Value, Type, const char*))                                   \
  LANEWISE_LLVM(Value, BuildICmp, (Builder, int, Value, Value, const char*))                                  \
  LANEWISE_LLVM(Value, BuildFCmp, (Builder, int, Value, Value, const char*))                                  \
  LANEWISE_LLVM(Value, BuildFNeg, (Builder, Value, const char*))                                              \
  LANEWISE_LLVM(Value, BuildSelect, (Builder, Value, Value, Value, const char*))                              \
  LANEWISE_LLVM(Value, BuildCall2, (Builder, Type, Value, Value*, unsigned, const char*))                     \
  LANEWISE_LLVM(Value, BuildExtractElement, (Builder, Value, Value, const char*))                             \
  LANEWISE_LLVM(Value, BuildInsertElement, (Builder, Value, Value, Value, const char*))                       \
  LANEWISE_LLVM(Value, BuildShuffleVector, (Builder, Value, Value, Value, const char*))                       \
  LANEWISE_LLVM(Value, ConstInt, (Type, unsigned long long, Bool))                                            \
  LANEWISE_LLVM(Value, ConstVector, (Value*, unsigned))                                                       \
  LANEWISE_LLVM(Value, ConstNull, (Type))                                                                     \
  LANEWISE_LLVM(Value, ConstAllOnes, (Type))                                                                  \
  LANEWISE_LLVM(Value, GetUndef, (Type))                                                                      \
  LANEWISE_LLVM(unsigned, LookupIntrinsicID, (const char*, std::size_t))                                      \
  LANEWISE_LLVM(Value, GetIntrinsicDeclaration, (Module, unsigned, Type*, std::size_t))                       \
  LANEWISE_LLVM(Type, IntrinsicGetType, (Context, unsigned, Type*, std::size_t))                              \
  LANEWISE_LLVM(Attribute, CreateStringAttribute, (Context, const char*, unsigned, const char*, unsigned))    \
  LANEWISE_LLVM(Attribute, CreateEnumAttribute, (Context, unsigned, std::uint64_t))                           \
  LANEWISE_LLVM(unsigned, GetEnumAttributeKindForName, (const char*, std::size_t))                            \
  LANEWISE_LLVM(void, AddAttributeAtIndex, (Value, unsigned, Attribute))                                      \
  LANEWISE_LLVM(void, InitializeX86TargetInfo, ())                                                            \
  LANEWISE_LLVM(void, InitializeX86Target, ())                                                                \
  LANEWISE_LLVM(void, InitializeX86TargetMC, ())                                                              \
  LANEWISE_LLVM(void, InitializeX86AsmPrinter, ())                                                            \
  LANEWISE_LLVM(Bool, GetTargetFromTriple, (const char*, Target*, char**))                                    \
  LANEWISE_LLVM(char*, GetHostCPUName, ())                                                                    \
  LANEWISE_LLVM(char*, GetHostCPUFeatures, ())                                                                \
  LANEWISE_LLVM(Machine, CreateTargetMachine, (Target, const char*, const char*, const char*, int, int, int)) \
  LANEWISE_LLVM(void, DisposeTargetMachine, (Machine))                                                        \
  LANEWISE_LLVM(Data, CreateTargetDataLayout, (Machine))                                                      \
  LANEWISE_LLVM(void, DisposeTargetData, (Data))                                                              \
  LANEWISE_LLVM(Bool, TargetMachineEmitToMemoryBuffer, (Machine, Module, int, char**, Buffer*))               \
  LANEWISE_LLVM(const char*, GetBufferStart, (Buffer))                                                        \
  LANEWISE_LLVM(std::size_t, GetBufferSize, (Buffer))                                                         \
  LANEWISE_LLVM(void, DisposeMemoryBuffer, (Buffer))                                                          \
  LANEWISE_LLVM(Error, RunPasses, (Module, const char*, Machine, Options))                                    \
  LANEWISE_LLVM(char*, GetErrorMessage, (Error))                                                              \
  LANEWISE_LLVM(void, DisposeErrorMessage, (char*))                                                           \
  LANEWISE_LLVM(Options, CreatePassBuilderOptions, ())                                                        \
  LANEWISE_LLVM(void, DisposePassBuilderOptions, (Options))

struct Api {
#define LANEWISE_LLVM(result, name, parameters) result(*name) parameters = nullptr;
  LANEWISE_LLVM_FUNCTIONS
#undef LANEWISE_LLVM
  std::string library;  // that it was loaded from
  int version = 0;
};

// Loads the library on first use; safe from any thread. Unsupported where there is none.
Expected<const Api*> load();

// The library's file that load() takes, with its size and when it was written; it loads nothing. Empty: it is in no usual folder.
std::string identity();

}  // namespace lanewise::llvm
