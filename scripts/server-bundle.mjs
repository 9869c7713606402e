// The server and its commands as a few files in place of 1,100, made from the same sources: a start then takes half the
// time and two thirds of the memory (docs/decisions/0090-start-and-memory.md). `node scripts/server-bundle.mjs` makes it.
import { hash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** What can be started, by name. */
export const entries = {
  main: "packages/server/src/main.ts",
  cli: "packages/server/src/cli/main.ts",
  workbench: "packages/workbench/src/main.ts",
};

/** A server goes on loading parts of the bundle that it was started with, so the last ones stay. */
const keptBundles = 4;

/** Nothing takes longer to make one. */
const attemptLifetimeMs = 15 * 60_000;

/** An entry in the bundle; undefined unless it was made from what the sources and the lockfile say now. */
export function findServerBundle(root, name) {
  try {
    const paths = JSON.parse(readFileSync(inputsFileOf(root), "utf8"));
    const bundle = join(folderOf(root), digestOf(root, paths), `${name}.mjs`);
    return existsSync(bundle) ? bundle : undefined;
  } catch (error) {
    if (error.code === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Makes the bundle. Rejects when a source is wrong, the folder cannot be written, or Rolldown is not installed, which is
 * a development dependency. Moved into place whole: several processes may be at it.
 */
export async function makeServerBundle(root) {
  const { rolldown } = await import("rolldown");
  const target = join(folderOf(root), `new.${process.pid}`);
  mkdirSync(target, { recursive: true });
  try {
    const build = await rolldown({
      input: Object.fromEntries(Object.entries(entries).map(([name, source]) => [name, join(root, source)])),
      platform: "node",
      logLevel: "silent",
      // Whole: Rolldown takes `decodeURIComponent(text);` away, which stands there for what it throws.
      treeshake: false,
      plugins: [{ name: "addresses", transform: withAddresses }],
    });
    await build.write({
      dir: target,
      entryFileNames: "[name].mjs",
      chunkFileNames: "[name]-[hash].mjs",
      comments: false,
      // Names and lines in a stack are worth more than the 10 MB that it would save.
      minify: false,
    });
    const paths = inputsOf(root, await build.watchFiles);
    await build.close();
    move(target, join(folderOf(root), digestOf(root, paths)));
    writeFileSync(`${target}.json`, JSON.stringify(paths));
    renameSync(`${target}.json`, inputsFileOf(root));
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
  removeOld(folderOf(root));
}

const folderOf = (root) => join(root, ".cache", "server");
const inputsFileOf = (root) => join(folderOf(root), "inputs.json");

/** Workers, pages and the builder are found from where the source stands, so its address takes the bundle's place. */
function withAddresses(code, id) {
  if (!code.includes("import.meta.")) return undefined;
  const url = pathToFileURL(id).href;
  const addressOf = (name) =>
    name.startsWith(".") ? new URL(name, url).href : pathToFileURL(createRequire(id).resolve(name)).href;
  return code
    .replace(/\bimport\.meta\.url\b/g, () => JSON.stringify(url))
    .replace(/\bimport\.meta\.resolve\("([^"]+)"\)/g, (_call, name) => JSON.stringify(addressOf(name)));
}

/** Our sources, and what says where imports lead. What is installed is what the lockfile says: scripts/ensure.mjs. */
function inputsOf(root, files) {
  const paths = files.map((file) => relative(root, file).replaceAll("\\", "/"));
  const workspace = /^(?:imports|(?:packages|apps)\/[^/]+)(?=\/)/;
  const ours = paths.filter((path) => workspace.test(path));
  const manifests = ours.map((path) => `${workspace.exec(path)[0]}/package.json`);
  return [...new Set([...ours, ...manifests, "package-lock.json"])].sort();
}

/** The folder counts, because the addresses in the bundle begin with it; so does this file. */
function digestOf(root, paths) {
  const files = [fileURLToPath(import.meta.url), ...paths.map((path) => join(root, path))];
  return hash("sha256", [root, ...files.map((file) => hash("sha256", readFileSync(file)))].join("\n"));
}

/** What stands there already was made from the same sources. */
function move(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST", "EPERM"].includes(error.code)) throw error;
  }
}

/** All but the last bundles, and what an attempt that was killed has left. */
function removeOld(folder) {
  const names = readdirSync(folder);
  const madeAt = new Map(names.map((name) => [name, statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs]));
  const bundles = names.filter((name) => /^[0-9a-f]{64}$/.test(name)).sort((a, b) => madeAt.get(b) - madeAt.get(a));
  const left = names.filter((name) => name.startsWith("new.") && madeAt.get(name) < Date.now() - attemptLifetimeMs);
  for (const name of [...bundles.slice(keptBundles), ...left])
    rmSync(join(folder, name), { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await makeServerBundle(fileURLToPath(new URL("../", import.meta.url)));
}
