import { randomFillSync } from "node:crypto";
import type { IdSource } from "@weft/engine";

const idBytes = 16;

/**
 * Ids are UUIDs of version 7 (RFC 9562): 48 bits of time, then 74 random bits. In the order of time, new rows are
 * neighbours in every index, so that a commit touches few pages.
 */
export function createIdSource(now: () => number): IdSource {
  // Randomness is drawn for many ids at once: one draw costs more than the rest of an id.
  const pool = Buffer.alloc(idBytes * 256);
  let used = pool.length;

  function takeBytes(): Buffer {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += idBytes;
    return pool.subarray(used - idBytes, used);
  }

  return {
    uuid() {
      const bytes = takeBytes();
      bytes.writeUIntBE(now(), 0, 6);
      bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
      const hex = bytes.toString("hex");
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
  };
}
