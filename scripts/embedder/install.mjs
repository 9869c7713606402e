// Installs the native runtime of the embedded model for this platform into `.cache/embedder` (decision 131). It is no
// dependency: its package is 290 MB for all platforms, of which one needs 25 to 90, and without it the model runs on
// WebAssembly. Nothing is run but what is checked at the end. `--in-background` returns at once; one attempt a day is made.
// A server whose operator names a folder with a model cannot do without it, so that its start waits.
// Runs on whatever Node runs npm, so: plain JavaScript, no dependencies.
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { constants, setPriority } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const source = join(root, "optional", "embedder");
const cache = join(root, ".cache", "embedder");
const platform = `${process.platform}-${process.arch}`;
const target = join(cache, platform);
const attempt = join(cache, `${platform}.attempt`);

/** Longer than anybody installs, and short enough that a machine that was offline is not left without for long. */
const attemptLifetimeMs = 24 * 60 * 60_000;
const installMs = 10 * 60_000;

const lock = readFileSync(join(source, "package-lock.json"), "utf8");
if (!isCurrent()) {
  if (!process.argv.includes("--in-background")) process.exitCode = install();
  else if (process.env.EMBEDDING_MODEL_DIR || process.env.RERANKER_MODEL_DIR) install();
  else if (!wasTried()) startInBackground();
}

function isCurrent() {
  const installed = join(target, "package-lock.json");
  return existsSync(installed) && readFileSync(installed, "utf8") === lock;
}

function wasTried() {
  const triedAt = statSync(attempt, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Date.now() - triedAt < attemptLifetimeMs && readFileSync(attempt, "utf8") === lock;
}

/** Its words go where those of this process go. Nothing that fails here keeps the server from starting. */
function startInBackground() {
  try {
    mkdirSync(cache, { recursive: true });
    writeFileSync(attempt, lock);
    const options = { detached: true, stdio: ["ignore", 2, 2] };
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], options);
    child.unref();
    // The server that starts meanwhile comes first.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  } catch (error) {
    console.error(`weft: the native runtime of the embedded model cannot be installed: ${error.message}`);
  }
}

function install() {
  const folder = join(cache, `new.${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    for (const name of ["package.json", "package-lock.json"]) cpSync(join(source, name), join(folder, name));
    runNpm(folder);
    prune(join(folder, "node_modules"));
    check(folder);
    rmSync(target, { recursive: true, force: true });
    renameSync(folder, target);
    console.error("weft: the embedded model has its native runtime, and uses it from its next start on.");
    return 0;
  } catch (error) {
    const [reason] = String(error.message).trim().split("\n");
    console.error(`weft: the embedded model runs on WebAssembly, about an eighth as fast as it could: ${reason}`);
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runNpm(cwd) {
  const args = ["ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = process.env.npm_execpath ?? "";
  const isNpm = /^npm/.test(basename(npm));
  const [command, first] = isNpm ? [process.env.npm_node_execpath ?? process.execPath, [npm]] : ["npm", []];
  const shell = !isNpm && process.platform === "win32";
  const options = { cwd, shell, encoding: "utf8", timeout: installMs };
  const { status, error, stderr } = spawnSync(command, [...first, ...args], options);
  if (error !== undefined) throw new Error(`npm could not be run (${error.message}).`);
  if (status !== 0) throw new Error(`its package could not be installed. ${firstLine(stderr)}`);
}

/** Leaves the runtime of this platform and the code that calls it. */
function prune(modules) {
  keepOnly(modules, ["onnxruntime-common", "onnxruntime-node"]);
  const programs = join(modules, "onnxruntime-node", "bin");
  for (const version of readdirSync(programs)) {
    if (!existsSync(join(programs, version, process.platform, process.arch)))
      throw new Error(`its package has no runtime for ${platform}.`);
    keepOnly(join(programs, version), [process.platform]);
    keepOnly(join(programs, version, process.platform), [process.arch]);
  }
}

function keepOnly(folder, names) {
  for (const name of readdirSync(folder))
    if (!names.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
}

function check(folder) {
  const { status, signal, stderr } = spawnSync(process.execPath, ["-e", 'require("onnxruntime-node")'], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`its runtime cannot run on ${platform}. ${signal ?? firstLine(stderr)}`);
}

function firstLine(text) {
  const line = text.split("\n").find((one) => /error/i.test(one)) ?? "";
  return line.trim();
}
