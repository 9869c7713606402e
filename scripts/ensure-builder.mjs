// Builds packages/builder and packages/widget into their dist/ when that is missing or was made from other sources. Quiet
// and fast when nothing is to be done. Runs after ensure.mjs, before `npm start` and its like. With --or-go-on a failed build is
// reported and not an error: the server then shows a page in the builder's place, and its API works.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = ".built-from";
const parts = [
  {
    name: "builder",
    says: "building the web interface …",
    sources: [
      "packages/{client,conversation,schema}/{package.json,src/**/*.ts}",
      "packages/builder/{index.html,package.json,vite.config.ts,public/**/*.*,src/**/*.*}",
      "package-lock.json",
    ],
  },
  {
    name: "widget",
    says: "building the chat client …",
    sources: [
      "packages/{client,conversation,schema}/{package.json,src/**/*.ts}",
      "packages/widget/{package.json,vite.config.ts,src/**/*.*}",
      "package-lock.json",
    ],
  },
];
const packedExtensions = [".js", ".css", ".svg"];

/** Smaller files gain nothing: they fit into one packet as they are. */
const smallestPackedBytes = 1_400;

for (const part of parts.filter(({ name }) => existsSync(folderOf(name)))) {
  const hash = hashSources(part.sources);
  if (isCurrent(part, hash)) continue;
  try {
    await build(part, hash);
  } catch (error) {
    console.error(`weft: the ${part.name} could not be built. ${error.message}`);
    process.exitCode = process.argv.includes("--or-go-on") ? 0 : 1;
  }
}

function isCurrent({ name }, hash) {
  const file = join(folderOf(name), "dist", stamp);
  return existsSync(file) && readFileSync(file, "utf8") === hash;
}

function folderOf(name) {
  return join(root, "packages", name);
}

function hashSources(sources) {
  const digest = createHash("sha256").update(process.version);
  const paths = globSync(sources, { cwd: root }).filter((path) => !/\.test\.tsx?$|[\\/]testing[\\/]/.test(path));
  for (const path of paths.sort()) digest.update(`${path}\n`).update(readFileSync(join(root, path)));
  return digest.digest("hex");
}

/** Into a folder of its own, moved into place whole: a server that runs meanwhile never sees a half. */
async function build({ name, says }, hash) {
  console.error(`weft: ${says}`);
  const target = join(root, ".cache", `${name}.${process.pid}`);
  try {
    const vite = join(root, "node_modules/vite/bin/vite.js");
    const args = [vite, "build", "--outDir", target, "--emptyOutDir", "--logLevel", "warn"];
    const { status, error } = spawnSync(process.execPath, args, {
      cwd: folderOf(name),
      env: { ...process.env, NODE_ENV: "production" },
      stdio: ["ignore", 2, 2],
    });
    if (error !== undefined) throw error;
    if (status !== 0) throw new Error("Vite says why above.");
    await Promise.all(globSync("**/*.*", { cwd: target }).map((path) => pack(join(target, path))));
    writeFileSync(join(target, stamp), hash);
    replace(target, join(folderOf(name), "dist"));
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

async function pack(path) {
  if (!packedExtensions.includes(extname(path))) return;
  const bytes = readFileSync(path);
  if (bytes.length < smallestPackedBytes) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  writeFileSync(`${path}.br`, brotli);
  writeFileSync(`${path}.gz`, zipped);
}

function replace(target, dist) {
  const old = `${target}.old`;
  mkdirSync(dist, { recursive: true });
  renameSync(dist, old);
  renameSync(target, dist);
  rmSync(old, { recursive: true, force: true });
}
