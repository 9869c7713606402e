import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { createDocumentReader } from "@weft/documents";
import { judgeDocument, sampleExpectations } from "@weft/documents/testing";
import { fetchPackage } from "./debian-package.ts";
import { type DebianFile, debianFiles } from "./files/debian-files.ts";
import { packages } from "./files/packages.ts";
import { runCommand } from "./run-command.ts";

/**
 * Whether real files are read as they should be: `./weft bench:files [words of their names]`. Those of Debian's packages
 * are downloaded into `.cache/files/` first; the others are the samples of `packages/documents`. Ends with status 1 when one
 * is not.
 */
await runCommand(async () => {
  const cache = join(import.meta.dirname, "../../.cache/files");
  for (const pinned of packages) fetchPackage(cache, pinned);
  const words = process.argv.slice(2);
  const files = [...sampleFiles(), ...debianFiles.map((file) => ({ ...file, folder: cache }))].filter(
    ({ path }) => words.length === 0 || words.some((word) => path.includes(word)),
  );
  const reader = createDocumentReader({ workers: 1, timeoutMs: 300_000 });
  let failed = 0;
  for (const file of files) {
    const startedAt = performance.now();
    const faults = await judge(file).catch((error: Error) => [error.message]);
    const seconds = (performance.now() - startedAt) / 1_000;
    if (faults.length > 0) failed += 1;
    console.log(faults.length === 0 ? "pass" : "FAIL", `${seconds.toFixed(2)} s`.padStart(9), nameOf(file));
    for (const fault of faults) console.log(`                 ${fault}`);
  }
  await reader.close();
  console.log(`${files.length - failed} of ${files.length} files are read as they should be.`);
  if (failed > 0) process.exitCode = 1;

  async function judge(file: File): Promise<string[]> {
    const { folder, path, sameAs, ...expected } = file;
    const content = await reader.read(
      { name: nameOf(file), bytes: readUnpacked(join(folder, path)) },
      { signal: new AbortController().signal },
    );
    const whole = sameAs === undefined ? {} : { whole: readFileSync(join(folder, sameAs), "utf8") };
    return judgeDocument(content, { ...expected, ...whole });
  }
});

type File = DebianFile & { folder: string };

function sampleFiles(): File[] {
  const folder = fileURLToPath(new URL("../../packages/documents/src/testing/samples/", import.meta.url));
  return Object.entries(sampleExpectations).map(([path, expected]) => ({ ...expected, path, folder }));
}

function nameOf({ path, name }: DebianFile): string {
  return name ?? path.slice(path.lastIndexOf("/") + 1).replace(/\.gz$/, "");
}

function readUnpacked(path: string): Uint8Array {
  const bytes = readFileSync(path);
  return path.endsWith(".gz") ? gunzipSync(bytes) : bytes;
}
