import { randomFillSync } from "node:crypto";
import type { IdSource } from "@weft/engine/ports/clock";

const idBytes = 16;

/**
 * Ids are UUIDs of version 7 (RFC 9562): 48 bits of time, a counter of 12 bits within the millisecond (section 6.2,
 * method 1), and 62 random bits. Ids of one source are in order of creation, also while its clock is set back. New rows
 * are neighbours in every index, so that a commit touches few pages.
 */
export function createIdSource(now: () => number): IdSource {
  // Randomness is drawn for many ids at once: one draw costs more than the rest of an id.
  const pool = Buffer.alloc(idBytes * 256);
  let used = pool.length;

  let lastMs = 0;
  let counter = 0;

  /** `random`: start of a new millisecond's counter, in its lower half. */
  function tick(random: number): void {
    const nowMs = now();
    counter += 1;
    if (nowMs <= lastMs && counter <= 0xfff) return;
    lastMs = Math.max(nowMs, lastMs + 1);
    counter = random & 0x7ff;
  }

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
      tick(bytes.readUInt16BE(6));
      bytes.writeUIntBE(lastMs, 0, 6);
      bytes.writeUInt16BE(0x7000 | counter, 6);
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
      const hex = bytes.toString("hex");
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
  };
}
