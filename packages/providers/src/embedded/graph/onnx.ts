/** A field of a protobuf message: its number and what it holds. */
type Field = readonly [number, bigint | number | string | Uint8Array];

/** Of ONNX's data types (`TensorProto.DataType`), those that a graph here is made of. */
const dataTypes = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7 } as const;

export type Tensor = {
  name: string;
  type: keyof typeof dataTypes;
  shape: readonly number[];
  /** Little-endian, row by row. */
  bytes: Uint8Array;
};

export type Node = {
  op: string;
  inputs: readonly string[];
  outputs: readonly string[];
  /** A whole number, or a list of them. */
  attributes: Readonly<Record<string, number | readonly number[]>>;
  /** Attributes that are real numbers. */
  reals?: Readonly<Record<string, number>>;
};

/** What a graph is given or gives; a dimension that is text may have any size. */
export type Value = { name: string; type: keyof typeof dataTypes; shape: readonly (number | string)[] };

export type Graph = {
  name: string;
  nodes: readonly Node[];
  tensors: readonly Tensor[];
  inputs: readonly Value[];
  outputs: readonly Value[];
};

/** Of the IR and the operators those that every ONNX runtime since 2022 knows. */
const irVersion = 8;
const opset = 17;

/** The file that an ONNX runtime reads: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto, which gives the numbers below. */
export function toOnnx(graph: Graph): Uint8Array {
  const body = message([
    ...graph.nodes.map((node): Field => [1, toNode(node)]),
    [2, graph.name],
    ...graph.tensors.map((tensor): Field => [5, toTensor(tensor)]),
    ...graph.inputs.map((value): Field => [11, toValue(value)]),
    ...graph.outputs.map((value): Field => [12, toValue(value)]),
  ]);
  return message([
    [1, irVersion],
    [7, body],
    [8, message([[2, opset]])],
  ]);
}

function toNode({ op, inputs, outputs, attributes, reals = {} }: Node): Uint8Array {
  return message([
    ...inputs.map((name): Field => [1, name]),
    ...outputs.map((name): Field => [2, name]),
    [4, op],
    ...Object.entries(attributes).map(([name, value]): Field => [5, toAttribute(name, value)]),
    ...Object.entries(reals).map(([name, value]): Field => [5, toRealAttribute(name, value)]),
  ]);
}

function toAttribute(name: string, value: number | readonly number[]): Uint8Array {
  if (typeof value !== "number") return message([[1, name], ...value.map((one): Field => [8, BigInt(one)]), [20, 7]]);
  return message([
    [1, name],
    [3, BigInt(value)],
    [20, 2],
  ]);
}

/** The only 32-bit field of these messages, so it is written here. */
function toRealAttribute(name: string, value: number): Uint8Array {
  const real = new Uint8Array(5);
  real[0] = (2 << 3) | 5;
  new DataView(real.buffer).setFloat32(1, value, true);
  return Buffer.concat([message([[1, name]]), real, message([[20, 1]])]);
}

function toTensor({ name, type, shape, bytes }: Tensor): Uint8Array {
  return message([...shape.map((size): Field => [1, size]), [2, dataTypes[type]], [8, name], [9, bytes]]);
}

function toValue({ name, type, shape }: Value): Uint8Array {
  const sizes = shape.map((size): Field => [1, message([[typeof size === "number" ? 1 : 2, size]])]);
  const tensor = message([
    [1, dataTypes[type]],
    [2, message(sizes)],
  ]);
  return message([
    [1, name],
    [2, message([[1, tensor]])],
  ]);
}

function message(fields: readonly Field[]): Uint8Array {
  return Buffer.concat(fields.flatMap(([number, value]) => toField(number, value)));
}

function toField(number: number, value: Field[1]): Uint8Array[] {
  if (typeof value === "number" || typeof value === "bigint") return [toVarint(number << 3), toVarint(value)];
  const bytes = typeof value === "string" ? Buffer.from(value) : value;
  return [toVarint((number << 3) | 2), toVarint(bytes.length), bytes];
}

/** Seven bits a byte, the lowest first; negative numbers as 64 bits in two's complement. */
function toVarint(value: number | bigint): Uint8Array {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Uint8Array.of(...bytes, Number(rest));
}
