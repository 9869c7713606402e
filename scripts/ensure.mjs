// Brings node_modules, and with it the pinned Node, up to package-lock.json. Quiet and fast when nothing is to be done.
// Runs before `npm start` and every command of scripts/weft.mjs, on whatever Node runs npm (20, 22, 24, 26), so: plain
// JavaScript, no dependencies. All output goes to stderr, because `npm run -s token` is read from stdout.
// `node scripts/ensure.mjs [--to-run] [SCRIPT …]` then runs a script on the Node that it brought: after `&&` the shell of the
// first start would take the system's, which it has found before the pinned one was there.
//
// Two levels (docs/decisions/0151-light-to-start.md): "run" is what serving needs and building the pages; "all" is that
// and what tests, checks and measurements need. What is there is never reduced to "run".
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = join(root, "node_modules");
const stateFile = join(modules, ".weft-lock-hash");
const cache = join(root, ".cache");
const lock = join(cache, "ensure.lock");
const underWay = "under way";

/** Nobody installs longer than this: an older lock was left behind, whatever process has its number now. */
const lockLifetimeMs = 15 * 60_000;

/** A failure that the person at the keyboard can do something about; printed without a stack. */
class SetUpError extends Error {}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const args = process.argv.slice(2);
  const level = args[0] === "--to-run" ? "run" : "all";
  const [script, ...rest] = level === "run" ? args.slice(1) : args;
  try {
    const node = await ensurePackages(level);
    if (script !== undefined) process.exitCode = await runNext(node, script, rest);
  } catch (error) {
    report(error);
  }
}

/** Resolves with the Node that runs the project, when the packages of a level are there. Rejects with what `report` takes. */
export async function ensurePackages(level) {
  if (!isCurrent(level)) await withLock(() => isCurrent(level) || bringUpToDate(level));
  requireTypeStripping();
  return existsSync(join(modules, ".bin", "node")) ? pinnedNode().file : process.execPath;
}

/** Says what went wrong, without a stack where the person at the keyboard can do something about it. */
export function report(error) {
  console.error(error instanceof SetUpError ? `weft: ${error.message}` : error);
  process.exitCode = 1;
}

/** The state file holds the hash only after a whole install; while one is under way, or broken off, it says so. */
function isCurrent(level) {
  const [hash, node, installed] = (readOrUndefined(stateFile) ?? "").split(" ");
  const isEnough = installed === "all" || installed === level;
  return isEnough && hash === lockHash() && (node === "system" || existsSync(join(modules, ".bin", "node")));
}

function lockHash() {
  const text = readFileSync(join(root, "package-lock.json"));
  return createHash("sha256").update(text).update(`${process.platform}-${process.arch}`).digest("hex");
}

async function bringUpToDate(asked) {
  const { spawnSync } = await import("node:child_process");
  const hash = lockHash();
  const level = asked === "all" || holdsMoreThanRuns() ? "all" : "run";
  if (!isInstalled(level) || !pinnedNodeIsThere()) install(spawnSync, level);
  removeHeaders();
  const runs = pinnedNodeRuns(spawnSync);
  if (!runs) {
    // A pinned Node that cannot run here (another libc) must not stand before the system's in npm's PATH.
    rmSync(join(modules, ".bin", "node"), { force: true });
    console.error(
      `weft: no pinned Node runs on ${process.platform}-${process.arch}, using the system's ${process.version}.`,
    );
  }
  requireTypeStripping();
  writeFileSync(stateFile, `${hash} ${runs ? "pinned" : "system"} ${level}`);
}

/** Whether packages of development are there, or were being installed. */
function holdsMoreThanRuns() {
  const { packages = {} } = JSON.parse(readOrUndefined(join(modules, ".package-lock.json")) ?? "{}");
  return readOrUndefined(stateFile) === `${underWay} all` || Object.values(packages).some(({ dev }) => dev);
}

/**
 * Whether node_modules holds exactly what package-lock.json names, by the list that npm keeps of what it installed.
 * Optional packages may be missing, being for other platforms; and may be there without being in the lockfile, because
 * not every registry that writes one knows the packages of all platforms. To run, those of development may be missing.
 */
function isInstalled(level) {
  const installed = JSON.parse(readOrUndefined(join(modules, ".package-lock.json")) ?? "{}").packages;
  if (installed === undefined || wasBrokenOff()) return false;
  const { "": _root, ...locked } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const same = (path) => path in installed && installed[path].version === locked[path].version;
  const mayLack = ({ optional, dev }) => optional || (dev && level === "run");
  return (
    Object.keys(locked).every((path) => same(path) || (mayLack(locked[path]) && !(path in installed))) &&
    Object.keys(installed).every((path) => path in locked || installed[path].optional)
  );
}

function wasBrokenOff() {
  return readOrUndefined(stateFile)?.startsWith(underWay) ?? false;
}

/**
 * `npm install --no-save` and not `npm ci`, which deletes node_modules under everything that runs from it. The check
 * afterwards makes it as exact.
 */
function install(spawnSync, level) {
  console.error("weft: installing the dependencies that package-lock.json names …");
  if (wasBrokenOff()) rmSync(modules, { recursive: true, force: true });
  mkdirSync(modules, { recursive: true });
  writeFileSync(stateFile, `${underWay} ${level}`);
  const args = ["install", "--no-save", "--ignore-scripts", "--include=optional", "--prefer-offline"];
  args.push(level === "run" ? "--omit=dev" : "--include=dev", "--no-audit", "--no-fund", "--loglevel=error");
  const result = runNpm(spawnSync, args);
  if (result.error)
    throw new SetUpError(`npm could not be started (${result.error.message}). Install npm 10 or later.`);
  // An npm that ended by itself has tidied up; one that was killed leaves halves, which the next attempt removes.
  if (result.status !== null) rmSync(stateFile, { force: true });
  if (result.status !== 0) {
    throw new SetUpError(
      "the dependencies could not be installed; npm says why above. The first start needs the package registry: " +
        "check the network (or the proxy that npm is configured with) and run the command again.",
    );
  }
  if (isInstalled(level)) return;
  writeFileSync(stateFile, `${underWay} ${level}`);
  throw new SetUpError(
    "npm installed something else than package-lock.json names. If a package.json changed, run `npm install` and " +
      "keep the new lockfile; else run the command again.",
  );
}

/** All of what it says goes to stderr, too. Resolves with its exit status. */
async function runNext(node, script, args) {
  const { spawnSync } = await import("node:child_process");
  const { status, error } = spawnSync(node, [join(root, script), ...args], { stdio: ["ignore", 2, 2] });
  if (error !== undefined) throw error;
  return status ?? 1;
}

function runNpm(spawnSync, args) {
  const npm = process.env.npm_execpath ?? "";
  const options = { cwd: root, stdio: ["ignore", 2, 2] };
  if (!/^npm/.test(basename(npm))) return spawnSync("npm", args, { ...options, shell: process.platform === "win32" });
  // With the Node that runs npm, not with the pinned one: that one may be about to be replaced.
  return spawnSync(process.env.npm_node_execpath ?? process.execPath, [npm, ...args], options);
}

/** The package of this platform's Node, and where it stands when it is installed. */
function pinnedNode() {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  return { name, file: join(modules, name, "bin", process.platform === "win32" ? "node.exe" : "node") };
}

function isNodePinned() {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return manifest.optionalDependencies?.[pinnedNode().name] !== undefined;
}

/** Addons are compiled with them, which nobody does here: a third of what Node takes. */
function removeHeaders() {
  rmSync(join(modules, pinnedNode().name, "include"), { recursive: true, force: true });
}

/** npm goes on without an optional package whose download failed, and says nothing: it has to be asked for again. */
function pinnedNodeIsThere() {
  return !isNodePinned() || existsSync(pinnedNode().file);
}

/** Whether the Node that package.json pins for this platform stands ready; false where it pins none or it cannot run. */
function pinnedNodeRuns(spawnSync) {
  if (!isNodePinned()) return false;
  const { name, file } = pinnedNode();
  const linked = existsSync(join(modules, ".bin", "node"));
  const runs = spawnSync(file, ["--version"]).status === 0;
  if (existsSync(file) && (linked || !runs)) return runs;
  throw new SetUpError(
    `npm did not install ${name}, the pinned Node: its download may have failed. Check the network (or the proxy that ` +
      "npm is configured with) and run the command again.",
  );
}

/** Without the pinned Node in npm's PATH the system's runs the TypeScript; it must be able to. */
function requireTypeStripping() {
  if (existsSync(join(modules, ".bin", "node"))) return;
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major >= 24 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18)) return;
  throw new SetUpError(
    `no pinned Node runs on ${process.platform}-${process.arch}, and the system's Node ${process.version} is too old. ` +
      "Install Node 24 (22.18 at least) and run the command again.",
  );
}

/**
 * Runs `work` while no other process does. The lock is a folder with its owner's process id inside, moved into place
 * and out of it whole, so that nobody ever sees one without an owner. A dead owner's lock is taken away.
 */
async function withLock(work) {
  const own = join(cache, `ensure.${process.pid}`);
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "owner"), String(process.pid));
  for (let round = 0; !moved(own, lock); round++) {
    if (round === 10) console.error("weft: waiting for another process that installs the dependencies …");
    if (!removeAbandonedLock()) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  try {
    utimesSync(lock, new Date(), new Date());
    await work();
  } finally {
    if (moved(lock, own)) rmSync(own, { recursive: true, force: true });
  }
}

/** False when the place is taken or what should move is gone: another process was faster. */
function moved(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "EPERM", "ENOENT"].includes(error.code)) return false;
    throw error;
  }
}

function removeAbandonedLock() {
  const owner = readOrUndefined(join(lock, "owner"));
  if (owner === undefined || (isAlive(Number(owner)) && ageMs(lock) < lockLifetimeMs)) return false;
  const away = join(cache, `ensure.${process.pid}.abandoned`);
  if (!moved(lock, away)) return false;
  // Between the look and the move the lock may have changed hands; then it goes back.
  const abandoned = readOrUndefined(join(away, "owner")) === owner || !moved(away, lock);
  rmSync(away, { recursive: true, force: true });
  return abandoned;
}

function ageMs(path) {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function readOrUndefined(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
