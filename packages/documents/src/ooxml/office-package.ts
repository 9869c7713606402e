import { posix } from "node:path";
import { crc32, inflateRawSync } from "node:zlib";
import type { DocumentLimits } from "../limits.ts";
import type { ReadContext } from "../read-context.ts";
import { damagedZip, Unreadable } from "../unreadable.ts";
import { readZipDirectory, type ZipEntry } from "../zip/zip-directory.ts";
import { walkXml } from "./walk-xml.ts";

/** One part of the package that another refers to. `kind` is the end of the relationship's type, e.g. `slide`. */
export type Relation = { id: string; kind: string; part: string };

type Relationship = Relation & { target: string; isExternal: boolean };

export type OfficePackage = {
  /** Name of the part with the document, the workbook or the presentation. */
  mainPart: string;
  read(part: string): Uint8Array | undefined;
  /** What a part refers to inside the package. */
  relationsOf(part: string): Relation[];
  /** Addresses of the web that a part links to, by the ids of its relationships. */
  linksOf(part: string): Map<string, string>;
  title: string | undefined;
};

/** Opens a DOCX, XLSX or PPTX. Source: ECMA-376-2, section 6 (parts and relationships). */
export function openOfficePackage({ bytes, format, limits }: ReadContext): OfficePackage {
  const archive = openArchive(bytes, limits);
  const relationsOf = (part: string) => readRelations(archive, part).filter(({ isExternal }) => !isExternal);
  const main = relationsOf("").find((relation) => relation.kind === "officeDocument");
  if (main === undefined) throw new Unreadable(`it is no ${format} file: its main part is missing`);
  const linksOf = (part: string) => toLinks(readRelations(archive, part));
  return { mainPart: main.part, read: archive.read, relationsOf, linksOf, title: readTitle(archive) };
}

/** Links are told to the reader, and followed by nobody. */
function toLinks(relations: readonly Relationship[]): Map<string, string> {
  const links = new Map<string, string>();
  for (const { id, target, kind, isExternal } of relations) {
    const url = isExternal && kind === "hyperlink" ? URL.parse(target) : null;
    if (url !== null && /^(https?|mailto):$/.test(url.protocol)) links.set(id, url.href.replaceAll(")", "%29"));
  }
  return links;
}

function readRelations(archive: Archive, part: string): Relationship[] {
  const folder = posix.dirname(part);
  const bytes = archive.read(posix.join(folder, "_rels", `${posix.basename(part)}.rels`));
  const relations: Relationship[] = [];
  if (bytes === undefined) return relations;
  walkXml(bytes, {
    open(name, { Id = "", Type = "", Target = "", TargetMode }) {
      if (name !== "Relationship") return;
      const isExternal = TargetMode === "External";
      const named = Target.startsWith("/") ? posix.normalize(Target.slice(1)) : posix.join(folder, Target);
      const kind = Type.slice(Type.lastIndexOf("/") + 1);
      relations.push({ id: Id, kind, part: isExternal ? "" : named, target: Target, isExternal });
    },
  });
  return relations;
}

function readTitle(archive: Archive): string | undefined {
  const bytes = archive.read("docProps/core.xml");
  if (bytes === undefined) return undefined;
  let title = "";
  let isTitle = false;
  walkXml(bytes, {
    open(name) {
      isTitle = name === "title";
    },
    close() {
      isTitle = false;
    },
    text(text) {
      if (isTitle) title += text;
    },
  });
  return title;
}

/** The id by which an element refers to another part: `r:id`, which may stand beside an `id` of its own. */
export function relationIdOf(attributes: Record<string, string>): string | undefined {
  return Object.entries(attributes).find(([name]) => name.endsWith(":id"))?.[1];
}

type Archive = {
  /** Unpacks one part; its name in any case, without a leading slash. Nothing when there is none of that name. */
  read(name: string): Uint8Array | undefined;
};

/**
 * A zip archive whose parts are unpacked one by one. Invariants:
 * - No part is unpacked beyond the size that the directory claims, nor beyond what the limits leave.
 * - A part whose size or checksum is not the claimed one is damage.
 */
function openArchive(bytes: Uint8Array, limits: DocumentLimits): Archive {
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

/** Part names compare without case. Source: ECMA-376-2, section 6.2.2.3. */
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
