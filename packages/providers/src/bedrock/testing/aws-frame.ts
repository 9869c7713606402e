import { crc32 } from "node:zlib";

/** A message of AWS's event streams, with headers that are texts. */
export function toAwsFrame(headers: Record<string, string>, payload: string): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => toHeader(name, value)));
  const body = Buffer.from(payload);
  const lengths = numbers(16 + head.length + body.length, head.length);
  const start = Buffer.concat([lengths, numbers(crc32(lengths)), head, body]);
  return Buffer.concat([start, numbers(crc32(start))]);
}

function toHeader(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), length, Buffer.from(value)]);
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}
