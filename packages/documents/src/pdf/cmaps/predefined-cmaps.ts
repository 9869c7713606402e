import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";

/** CMaps by file name, and the version of pdf.js that they belong to. */
type PredefinedCMaps = { pdfjs: string; files: ReadonlyMap<string, Uint8Array> };

let loaded: PredefinedCMaps | undefined;

/**
 * The predefined Chinese, Japanese and Korean CMaps, which a PDF need not embed (ISO 32000-1, table 118), in pdf.js'
 * format. Read from beside this file on first use. `scripts/pdf-cmaps.ts` generates it.
 */
export function predefinedCMaps(): PredefinedCMaps {
  loaded ??= readCMaps(brotliDecompressSync(readFileSync(new URL("./cmaps.br", import.meta.url))));
  return loaded;
}

export function isPredefinedCMap(name: string): boolean {
  return predefinedCMaps().files.has(fileOf(name));
}

function fileOf(name: string): string {
  return `${name}.bcmap`;
}

/** A line of JSON, and the files behind it. */
type Head = { pdfjs: string; sizes: [name: string, size: number][] };

function readCMaps(bytes: Uint8Array): PredefinedCMaps {
  const start = bytes.indexOf(10) + 1;
  const head: Head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, start)));
  const { pdfjs, sizes } = head;
  const files = new Map<string, Uint8Array>();
  let at = start;
  for (const [name, size] of sizes) {
    files.set(name, bytes.subarray(at, at + size));
    at += size;
  }
  return { pdfjs, files };
}

/** Supplies pdf.js with unbundled data, without a network: only CMaps. Used as its `BinaryDataFactory`. */
export class LocalData {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const bytes = kind === "cMapUrl" ? predefinedCMaps().files.get(filename) : undefined;
    if (bytes === undefined) throw new Error(`${filename} is not here.`);
    return bytes.slice();
  }
}
