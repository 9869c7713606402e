import { randomBytes } from "node:crypto";
import type { IdSource } from "@weft/engine";

/**
 * Ids are UUIDs of version 7 (RFC 9562): 48 bits of time, then 74 random bits. In the order of time, new rows are
 * neighbours in every index, so that a commit touches few pages.
 */
export function createIdSource(now: () => number): IdSource {
  return {
    uuid() {
      const bytes = randomBytes(16);
      bytes.writeUIntBE(now(), 0, 6);
      bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
      const hex = bytes.toString("hex");
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
  };
}
