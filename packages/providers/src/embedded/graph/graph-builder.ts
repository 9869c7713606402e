import type { Node, Tensor } from "./onnx.ts";

type Attributes = Node["attributes"];
type Reals = NonNullable<Node["reals"]>;

/**
 * Collects the operations and constants of a graph. Methods return the name by which others take the result as an
 * input.
 */
export type GraphBuilder = {
  readonly nodes: Node[];
  readonly tensors: Tensor[];
  add(op: string, inputs: readonly string[], attributes?: Attributes, reals?: Reals): string;
  /** Adds the last operation, whose result is the graph's output of this name. */
  give(name: string, op: string, inputs: readonly string[], attributes: Attributes): void;
  /** Splits a tensor along an axis into parts of these sizes. */
  split(tensor: string, sizes: readonly number[], axis: number): string[];
  floats(shape: readonly number[], values: Float32Array): string;
  /** A scalar. */
  float(value: number): string;
  integers(values: readonly number[]): string;
  bytes(shape: readonly number[], values: Uint8Array | Int8Array): string;
};

export function createGraphBuilder(): GraphBuilder {
  const nodes: Node[] = [];
  const tensors: Tensor[] = [];
  function tensor(
    type: Tensor["type"],
    shape: readonly number[],
    values: Float32Array | BigInt64Array | Uint8Array | Int8Array,
  ) {
    const name = `constant ${tensors.length}`;
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    tensors.push({ name, type, shape, bytes });
    return name;
  }
  return {
    nodes,
    tensors,
    add(op, inputs, attributes = {}, reals = {}) {
      const name = `${op} ${nodes.length}`;
      nodes.push({ op, inputs, outputs: [name], attributes, reals });
      return name;
    },
    give: (name, op, inputs, attributes) => void nodes.push({ op, inputs, outputs: [name], attributes }),
    split(from, sizes, axis) {
      const outputs = sizes.map((_size, part) => `Split ${nodes.length}.${part}`);
      const inputs = [from, tensor("int64", [sizes.length], BigInt64Array.from(sizes, BigInt))];
      nodes.push({ op: "Split", inputs, outputs, attributes: { axis } });
      return outputs;
    },
    floats: (shape, values) => tensor("float32", shape, values),
    float: (value) => tensor("float32", [], Float32Array.of(value)),
    integers: (values) => tensor("int64", [values.length], BigInt64Array.from(values, BigInt)),
    bytes: (shape, values) => tensor(values instanceof Int8Array ? "int8" : "uint8", shape, values),
  };
}
