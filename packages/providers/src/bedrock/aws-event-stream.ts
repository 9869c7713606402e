import { crc32 } from "node:zlib";

/** A message of AWS's event streams: its string headers, and its payload. */
export type AwsMessage = { headers: Readonly<Record<string, string>>; payload: string };

/** Thrown for bytes that are not an event stream. */
export class AwsStreamError extends Error {}

/** Larger than any message; a greater length means another format. */
const longestMessage = 24 * 1024 * 1024;
const prelude = 12;
const checksum = 4;
/** Type of a header with a string value. */
const textType = 7;

/**
 * Reads `application/vnd.amazon.eventstream` incrementally: messages of a prelude (two lengths and their CRC-32),
 * headers, a payload and the CRC-32 of all. Chunks may be split anywhere.
 * (https://smithy.io/2.0/aws/amazon-eventstream.html) `isWhole`: whether the bytes so far end with a message.
 */
export function createAwsStreamReader(onMessage: (message: AwsMessage) => void) {
  let rest: Buffer = Buffer.alloc(0);
  return {
    push(bytes: Uint8Array): void {
      rest = rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([rest, bytes]);
      for (;;) {
        const length = readLength(rest);
        if (length === undefined || rest.length < length) return;
        const message = rest.subarray(0, length);
        rest = rest.subarray(length);
        onMessage(readMessage(message));
      }
    },
    isWhole: () => rest.length === 0,
  };
}

function readLength(bytes: Buffer): number | undefined {
  if (bytes.length < prelude) return undefined;
  const length = bytes.readUInt32BE(0);
  const isSound = crc32(bytes.subarray(0, 8)) === bytes.readUInt32BE(8);
  if (!isSound || length < prelude + checksum || length > longestMessage) throw new AwsStreamError("no prelude");
  return length;
}

function readMessage(bytes: Buffer): AwsMessage {
  const end = bytes.length - checksum;
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end)) throw new AwsStreamError("checksum");
  const headersEnd = prelude + bytes.readUInt32BE(4);
  if (headersEnd > end) throw new AwsStreamError("headers");
  return {
    headers: readHeaders(bytes.subarray(prelude, headersEnd)),
    payload: bytes.toString("utf8", headersEnd, end),
  };
}

/** Value lengths of the other types; types missing here carry their length. */
const fixedLengths: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };

function readHeaders(bytes: Buffer): Record<string, string> {
  const headers: Record<string, string> = {};
  let at = 0;
  const take = (length: number) => {
    if (at + length > bytes.length) throw new AwsStreamError("header");
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const name = take(take(1).readUInt8()).toString();
    const type = take(1).readUInt8();
    const value = take(fixedLengths[type] ?? take(2).readUInt16BE());
    if (type === textType) headers[name] = value.toString();
  }
  return headers;
}
