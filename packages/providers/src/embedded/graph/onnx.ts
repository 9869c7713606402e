import { bytes, concatenate, float, integer, message, text } from "@weft/schema/protobuf";

/** The ONNX data types (`TensorProto.DataType`) used in these graphs. */
const dataTypes = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7 } as const;

export type Tensor = {
  name: string;
  type: keyof typeof dataTypes;
  shape: readonly number[];
  /** Little-endian, row-major. */
  bytes: Uint8Array;
};

export type Node = {
  op: string;
  /** An empty name marks an omitted input. */
  inputs: readonly string[];
  outputs: readonly string[];
  /** An integer, or a list of them. */
  attributes: Readonly<Record<string, number | readonly number[]>>;
  /** Floating-point attributes. */
  reals?: Readonly<Record<string, number>>;
};

/** An input or output of a graph; a dimension given as text may have any size. */
export type Value = { name: string; type: keyof typeof dataTypes; shape: readonly (number | string)[] };

export type Graph = {
  name: string;
  nodes: readonly Node[];
  tensors: readonly Tensor[];
  inputs: readonly Value[];
  outputs: readonly Value[];
};

/** Versions of the IR and the operators supported by every ONNX runtime since 2022. */
const irVersion = 8;
const opset = 17;
/** ONNX Runtime's own operators: https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md */
const ownDomain = "com.microsoft";
const ownOpset = 1;
const ownOperators = new Set(["MatMulIntegerToFloat", "MultiHeadAttention"]);

/** Serialises to ONNX: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto, the source of the numbers below. */
export function toOnnx(graph: Graph): Uint8Array {
  return concatenate([
    integer(1, irVersion),
    message(7, [
      ...graph.nodes.map(toNode),
      text(2, graph.name),
      ...graph.tensors.map(toTensor),
      ...graph.inputs.map((value) => toValue(11, value)),
      ...graph.outputs.map((value) => toValue(12, value)),
    ]),
    message(8, [integer(2, opset)]),
    message(8, [text(1, ownDomain), integer(2, ownOpset)]),
  ]);
}

function toNode({ op, inputs, outputs, attributes, reals = {} }: Node): Uint8Array {
  return message(1, [
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, op),
    ...(ownOperators.has(op) ? [text(7, ownDomain)] : []),
    ...Object.entries(attributes).map(([name, value]) => toAttribute(name, value)),
    ...Object.entries(reals).map(([name, value]) => message(5, [text(1, name), float(2, value), integer(20, 1)])),
  ]);
}

function toAttribute(name: string, value: number | readonly number[]): Uint8Array {
  if (typeof value === "number") return message(5, [text(1, name), integer(3, value), integer(20, 2)]);
  return message(5, [text(1, name), ...value.map((one) => integer(8, one)), integer(20, 7)]);
}

function toTensor({ name, type, shape, bytes: values }: Tensor): Uint8Array {
  return message(5, [
    ...shape.map((size) => integer(1, size)),
    integer(2, dataTypes[type]),
    text(8, name),
    bytes(9, values),
  ]);
}

function toValue(field: number, { name, type, shape }: Value): Uint8Array {
  const sizes = shape.map((size) => message(1, [typeof size === "number" ? integer(1, size) : text(2, size)]));
  return message(field, [text(1, name), message(2, [message(1, [integer(1, dataTypes[type]), message(2, sizes)])])]);
}
