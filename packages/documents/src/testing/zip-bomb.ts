import { constants, deflateRawSync } from "node:zlib";
import { zipSync } from "fflate";
import { buildRelations } from "./office-files.ts";

/** A DOCX of a megabyte whose main part is a gigabyte of zeros. */
export function buildZipBomb(): Uint8Array {
  const megabyte = deflateRawSync(new Uint8Array(1_000_000), { finishFlush: constants.Z_FULL_FLUSH });
  const packed = Buffer.concat([...Array.from({ length: 1000 }, () => megabyte), deflateRawSync("")]);
  const main = buildRelations([{ id: "r", kind: "officeDocument", target: "word/document.xml" }]);
  const archive = zipSync({ "_rels/.rels": Buffer.from(main), "word/document.xml": [packed, { level: 0 }] });
  const view = new DataView(archive.buffer, archive.byteOffset);
  view.setUint16(directoryEntryOf(archive) + 10, deflated, true);
  view.setUint32(directoryEntryOf(archive) + 24, 1_000_000_000, true);
  return archive;
}

const deflated = 8;

/** Position of the directory's entry of the main part. */
export function directoryEntryOf(archive: Uint8Array): number {
  return Buffer.from(archive).lastIndexOf("word/document.xml") - 46;
}
