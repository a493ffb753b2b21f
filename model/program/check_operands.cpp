// Where an operation may have no result (definedness.h), an observer can be told when it has none: a kCheckOperands stands before it.
// Operands that are constants and have a result need none. A quotient of 0 by 0 that is a NaN (ir/nans.h) needs none either.
#include "model/ir/nans.h"
#include "model/ir/operation_info.h"
#include "model/program/passes.h"
#include "model/spirv/module.h"

namespace lanewise::ir {
namespace {

// Whether the constants among the operands suffice for a result.
bool surelyDefined(const Function& f, Value v, Definedness rule) {
  const auto args = f.args(v);
  std::vector<Scalar> types;
  std::vector<std::uint64_t> bits;
  std::uint32_t unknown = 0;
  for (std::size_t i = 0; i < args.size(); ++i) {
    types.push_back(f.nodes[args[i]].type);
    bits.push_back(f.isConstant(args[i]) ? f.bitsOf(args[i]) : 0);
    if (!f.isConstant(args[i]) || f.isUndefined(args[i])) unknown |= 1u << i;
  }
  unknown &= operandsOf(rule);
  // What is not known may be 0.
  if (rule == Definedness::kNotBothZero) return isDefined(rule, f.nodes[v].type, types, bits);
  // Every dividend has a quotient by a divisor that is neither 0 nor -1.
  if (rule == Definedness::kSignedDivision && unknown == 1) return bits[1] != 0 && f.constantValue(args[1]) != -1;
  return unknown == 0 && isDefined(rule, f.nodes[v].type, types, bits);
}

}  // namespace

bool surelyHasResult(const Function& f, Value v) {
  const Definedness rule = definednessOf(f.nodes[v].op);
  return rule == Definedness::kAlways || surelyDefined(f, v, rule);
}

void checkOperands(Function& f, const spirv::Module& module, std::uint32_t nanWidths) {
  for (const std::uint32_t b : f.order) {
    std::vector<Value> nodes;
    for (const Value v : f.blocks[b].nodes) {
      const Node n = f.nodes[v];
      const bool isNanKept = keepsNan(module, module.instructions[f.origins[n.origin].instruction], n.op, n.type, nanWidths);
      if (!isNanKept && !surelyHasResult(f, v)) {
        const std::vector<Value> args(f.args(v).begin(), f.args(v).end());
        const Value check = f.add(kCheckOperands, Scalar::kNone, args, n.origin);
        f.nodes[check].block = b;
        f.nodes[check].what = kind::CheckOperands{definednessOf(n.op), n.type};
        nodes.push_back(check);
      }
      nodes.push_back(v);
    }
    f.blocks[b].nodes = std::move(nodes);
  }
}

}  // namespace lanewise::ir
