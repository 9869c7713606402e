import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";

/** CMaps by the names of their files, and the version of pdf.js that they are of. */
type PredefinedCMaps = { pdfjs: string; files: ReadonlyMap<string, Uint8Array> };

let loaded: PredefinedCMaps | undefined;

/**
 * The CMaps of Chinese, Japanese and Korean that a PDF may name without having them (ISO 32000-1, table 118), in the form
 * of pdf.js. Read from beside this file when they are first asked for. `scripts/pdf-cmaps.ts` makes it.
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
function readCMaps(bytes: Uint8Array): PredefinedCMaps {
  const start = bytes.indexOf(10) + 1;
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, start)));
  const { pdfjs, sizes } = head as { pdfjs: string; sizes: [name: string, size: number][] };
  const files = new Map<string, Uint8Array>();
  let at = start;
  for (const [name, size] of sizes) {
    files.set(name, bytes.subarray(at, at + size));
    at += size;
  }
  return { pdfjs, files };
}

/** Gives pdf.js what it does not bundle, without a network: CMaps alone. Used as its `BinaryDataFactory`. */
export class LocalData {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const bytes = kind === "cMapUrl" ? predefinedCMaps().files.get(filename) : undefined;
    if (bytes === undefined) throw new Error(`${filename} is not here.`);
    return bytes.slice();
  }
}
