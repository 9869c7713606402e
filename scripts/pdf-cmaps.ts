import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

/** The package of pdf.js that has the CMaps of the version that `unpdf` bundles without them. */
const pinned = {
  name: "pdfjs-dist",
  version: "6.1.200",
  sha512:
    "a3c328972ce2ae490badc76c69efc710e888717588ec34b9cc6a6fa96f314c2d9852c5b7d2b96d170d9b0c6bf0fdfb2451d10cad09b66ebebc8f30d2e411f6bf",
};

const folder = fileURLToPath(new URL("../packages/documents/src/pdf/cmaps/", import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), "weft-cmaps-"));
try {
  const packed = execFileSync("npm", ["pack", "--silent", `${pinned.name}@${pinned.version}`], {
    cwd: temporary,
    encoding: "utf8",
  }).trim();
  const archive = readFileSync(join(temporary, packed));
  if (hash("sha512", archive) !== pinned.sha512)
    throw new Error(`${packed} is another file than the one that is pinned.`);
  execFileSync("tar", ["xzf", packed, "package/cmaps"], { cwd: temporary });
  const source = join(temporary, "package/cmaps");
  const files = readdirSync(source).filter((name) => name.endsWith(".bcmap"));
  const parts = files.toSorted().map((name) => ({ name, bytes: readFileSync(join(source, name)) }));
  const sizes = parts.map(({ name, bytes }) => [name, bytes.length]);
  const head = Buffer.from(`${JSON.stringify({ pdfjs: pinned.version, sizes })}\n`);
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } };
  const whole = Buffer.concat([head, ...parts.map(({ bytes }) => bytes)]);
  writeFileSync(join(folder, "cmaps.br"), brotliCompressSync(whole, options));
  writeFileSync(join(folder, "LICENSE"), readFileSync(join(source, "LICENSE")));
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
