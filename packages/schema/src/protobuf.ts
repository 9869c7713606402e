// Fields of protobuf messages, each with its number, as they are written (https://protobuf.dev/programming-guides/encoding).

const wire = { varint: 0, fixed64: 1, length: 2, fixed32: 5 } as const;

/** A message as a field of another one. */
export function message(field: number, fields: readonly Uint8Array[]): Uint8Array {
  return bytes(field, concatenate(fields));
}

export function text(field: number, value: string): Uint8Array {
  return bytes(field, new TextEncoder().encode(value));
}

export function bytes(field: number, value: Uint8Array): Uint8Array {
  return concatenate([tag(field, wire.length), varint(value.length), value]);
}

/** Of the types `int32`, `int64`, `uint32`, `uint64`, `bool` and enumerations. */
export function integer(field: number, value: bigint | number): Uint8Array {
  return concatenate([tag(field, wire.varint), varint(value)]);
}

export function fixed32(field: number, value: number): Uint8Array {
  return fixed(field, wire.fixed32, 4, (view) => view.setUint32(0, value, true));
}

export function fixed64(field: number, value: bigint): Uint8Array {
  return fixed(field, wire.fixed64, 8, (view) => view.setBigUint64(0, value, true));
}

export function float(field: number, value: number): Uint8Array {
  return fixed(field, wire.fixed32, 4, (view) => view.setFloat32(0, value, true));
}

export function double(field: number, value: number): Uint8Array {
  return fixed(field, wire.fixed64, 8, (view) => view.setFloat64(0, value, true));
}

/** Concatenates fields into a whole message. */
export function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function fixed(field: number, type: number, size: number, write: (view: DataView) => void): Uint8Array {
  const written = new Uint8Array(size);
  write(new DataView(written.buffer));
  return concatenate([tag(field, type), written]);
}

function tag(field: number, type: number): Uint8Array {
  return varint(field * 8 + type);
}

/** Seven bits a byte, the lowest first. A negative number is its two's complement of 64 bits. */
function varint(value: bigint | number): Uint8Array {
  const written: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) written.push(Number(rest & 0x7fn) | 0x80);
  return Uint8Array.of(...written, Number(rest));
}
