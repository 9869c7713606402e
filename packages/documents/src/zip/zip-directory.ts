import { damagedZip, Unreadable } from "../unreadable.ts";

/** One part of an archive, as the directory at its end states it. */
export type ZipEntry = {
  name: string;
  /** 0 stored, 8 deflated. */
  method: number;
  isEncrypted: boolean;
  crc: number;
  packedBytes: number;
  unpackedBytes: number;
  /** Of its local header. */
  offset: number;
};

/**
 * Reads the directory of a zip archive, ZIP64 included. Source: APPNOTE.TXT 6.3.10, sections 4.3.12 to 4.3.16.
 * Everything in it is unverified; names are not paths. Throws `Unreadable` if it is damaged or too long.
 */
export function readZipDirectory(bytes: Uint8Array, maxEntries: number): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const { count, offset } = findDirectory(view);
    if (count > maxEntries) throw new Unreadable(`its zip archive has more than ${maxEntries} parts`);
    const entries: ZipEntry[] = [];
    let position = offset;
    while (entries.length < count) {
      const { entry, next } = readEntry(view, position);
      entries.push(entry);
      position = next;
    }
    return entries;
  } catch (error) {
    // A read beyond the end is a RangeError of the view.
    throw error instanceof RangeError ? new Unreadable(damagedZip) : error;
  }
}

const endSignature = 0x06054b50;
const endBytes = 22;
const longestComment = 0xffff;
const zip64LocatorSignature = 0x07064b50;
const zip64EndSignature = 0x06064b50;
const entrySignature = 0x02014b50;
const entryBytes = 46;
const inZip64 = 0xffffffff;

function findDirectory(view: DataView): { count: number; offset: number } {
  const last = view.byteLength - endBytes;
  for (let at = last; at >= Math.max(0, last - longestComment); at -= 1) {
    if (view.getUint32(at, true) !== endSignature) continue;
    return (
      findZip64Directory(view, at) ?? { count: view.getUint16(at + 10, true), offset: view.getUint32(at + 16, true) }
    );
  }
  throw new Unreadable(damagedZip);
}

function findZip64Directory(view: DataView, end: number): { count: number; offset: number } | undefined {
  const locator = end - 20;
  if (locator < 0 || view.getUint32(locator, true) !== zip64LocatorSignature) return undefined;
  const at = readUint64(view, locator + 8);
  expectSignature(view, at, zip64EndSignature);
  return { count: readUint64(view, at + 32), offset: readUint64(view, at + 48) };
}

function readEntry(view: DataView, at: number): { entry: ZipEntry; next: number } {
  expectSignature(view, at, entrySignature);
  const flags = view.getUint16(at + 8, true);
  const nameEnd = at + entryBytes + view.getUint16(at + 28, true);
  const extraEnd = nameEnd + view.getUint16(at + 30, true);
  const name = new Uint8Array(view.buffer, view.byteOffset + at + entryBytes, nameEnd - at - entryBytes);
  const long = readZip64Fields(view, nameEnd, extraEnd);
  const read = (position: number) => {
    const value = view.getUint32(position, true);
    return value === inZip64 ? (long.shift() ?? value) : value;
  };
  const unpackedBytes = read(at + 24);
  const packedBytes = read(at + 20);
  const entry: ZipEntry = {
    name: new TextDecoder().decode(name),
    method: view.getUint16(at + 10, true),
    isEncrypted: (flags & 1) === 1,
    crc: view.getUint32(at + 16, true),
    packedBytes,
    unpackedBytes,
    offset: read(at + 42),
  };
  return { entry, next: extraEnd + view.getUint16(at + 32, true) };
}

/** Numbers of the extra field 1, for those that do not fit into 32 bits: unpacked size, packed size, offset. */
function readZip64Fields(view: DataView, start: number, end: number): number[] {
  for (let at = start; at + 4 <= end; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    const count = Math.min(3, Math.floor(view.getUint16(at + 2, true) / 8));
    return Array.from({ length: count }, (_, index) => readUint64(view, at + 4 + index * 8));
  }
  return [];
}

function readUint64(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

function expectSignature(view: DataView, at: number, signature: number): void {
  if (view.getUint32(at, true) !== signature) throw new Unreadable(damagedZip);
}
