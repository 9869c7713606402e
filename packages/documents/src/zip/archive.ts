import { crc32, inflateRawSync } from "node:zlib";
import type { DocumentLimits } from "../limits.ts";
import { damagedZip, Unreadable } from "../unreadable.ts";
import { readZipDirectory, type ZipEntry } from "./zip-directory.ts";

export type Archive = {
  /** Unpacks one part; its name is case-insensitive, without a leading slash. Undefined if missing. */
  read(name: string): Uint8Array | undefined;
};

/**
 * A zip archive whose parts are unpacked one by one. Invariants:
 * - No part is unpacked beyond the size that the directory claims, nor beyond what the limits leave.
 * - A part whose size or checksum is not the claimed one is damage.
 */
export function openArchive(bytes: Uint8Array, limits: DocumentLimits): Archive {
  const entries = new Map<string, ZipEntry>();
  for (const entry of readZipDirectory(bytes, limits.zipEntries)) entries.set(toKey(entry.name), entry);
  let remainingBytes = limits.unzippedBytes;
  return {
    read(name) {
      const entry = entries.get(toKey(name));
      if (entry === undefined) return undefined;
      if (entry.isEncrypted) throw new Unreadable("its zip archive is encrypted");
      const allowed = Math.max(freeBytes, entry.packedBytes * limits.zipRatio);
      if (entry.unpackedBytes > Math.min(remainingBytes, allowed)) throw new Unreadable(unpackedTooLarge);
      remainingBytes -= entry.unpackedBytes;
      return unpack(bytes, entry);
    },
  };
}

const freeBytes = 1024 * 1024;
const unpackedTooLarge = "it grows beyond all measure when it is unpacked";

/** Part names are case-insensitive. Source: ECMA-376-2, section 6.2.2.3. */
function toKey(name: string): string {
  return name.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase();
}

function unpack(bytes: Uint8Array, entry: ZipEntry): Uint8Array {
  const unpacked = entry.unpackedBytes === 0 ? new Uint8Array() : inflate(packedPart(bytes, entry), entry);
  if (unpacked.length !== entry.unpackedBytes || crc32(unpacked) !== entry.crc) throw new Unreadable(damagedZip);
  return unpacked;
}

function packedPart(bytes: Uint8Array, { offset, packedBytes }: ZipEntry): Uint8Array {
  const headerBytes = 30;
  if (offset + headerBytes > bytes.length) throw new Unreadable(damagedZip);
  const header = new DataView(bytes.buffer, bytes.byteOffset + offset, headerBytes);
  const start = offset + headerBytes + header.getUint16(26, true) + header.getUint16(28, true);
  if (start + packedBytes > bytes.length) throw new Unreadable(damagedZip);
  return bytes.subarray(start, start + packedBytes);
}

function inflate(packed: Uint8Array, { method, unpackedBytes }: ZipEntry): Uint8Array {
  if (method === 0) return packed;
  if (method !== 8) throw new Unreadable("its zip archive is packed in an unusual way; save it again");
  try {
    return inflateRawSync(packed, { maxOutputLength: unpackedBytes });
  } catch {
    throw new Unreadable(damagedZip);
  }
}
