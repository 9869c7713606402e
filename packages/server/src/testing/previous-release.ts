import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type CleanUp,
  createPostgresDatabase,
  type TestStorage,
} from "../../../database/src/testing/test-databases.ts";

/** The sources of the last release, ready to start; or why they cannot be had here. */
export type PreviousRelease = { version: string; folder: string } | { why: string };

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/**
 * Unpacks the last release from the history, into the folder for caches. It uses the libraries that are installed here:
 * both lock files must name the same ones, or the release gets its own.
 */
export function unpackPreviousRelease(): PreviousRelease {
  const found = findRelease();
  if (found === undefined) return { why: "the history is too short to hold the last release, or git is missing" };
  const folder = join(root, ".cache/releases", found.commit);
  if (existsSync(folder)) return { version: found.version, folder };
  const unfinished = `${folder}-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const archive = git("archive", "--format=tar", found.commit);
  execFileSync("tar", ["--extract", "--directory", unfinished], { input: archive });
  if (librariesOf(unfinished) === librariesOf(root)) linkLibraries(unfinished);
  else execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: unfinished, stdio: "ignore" });
  try {
    renameSync(unfinished, folder);
  } catch {
    // Another process was first.
    rmSync(unfinished, { recursive: true });
  }
  return { version: found.version, folder };
}

/** A database that no migration has seen, so that the earlier release makes it, and an empty folder. */
export async function createUntouchedStorage(t: CleanUp, database: "sqlite" | "postgres"): Promise<TestStorage> {
  const dataDir = await mkdtemp(join(tmpdir(), "weft-upgrade-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const databaseUrl = database === "postgres" ? await createPostgresDatabase(t) : "";
  return { databaseUrl, dataDir, open: () => Promise.reject(new Error("The servers open it.")) };
}

/** The last commit of a release before the present state, by its tag or, where tags are missing, its message. */
function findRelease(): { commit: string; version: string } | undefined {
  try {
    const line = git("log", "-1", "--grep=^release: [0-9]", "--format=%H %s", "HEAD~1").toString().trim();
    const [, commit, version] = /^(\w+) release: (\S+)$/.exec(line) ?? [];
    return commit === undefined || version === undefined ? undefined : { commit, version };
  } catch {
    return undefined;
  }
}

function git(...words: string[]): Buffer {
  return execFileSync("git", words, { cwd: root, stdio: ["ignore", "pipe", "ignore"], maxBuffer: 256 * 1_024 ** 2 });
}

function librariesOf(folder: string): string {
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as {
    packages: Record<string, { version?: string; link?: boolean }>;
  };
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && !link);
  return JSON.stringify(installed.map(([path, { version }]) => [path, version]));
}

/** Links to its own packages, and to the libraries of this folder. */
function linkLibraries(folder: string): void {
  const links = globSync(["node_modules/{*,.bin,@*/*}", "packages/*/node_modules"], { cwd: root });
  for (const path of links.filter((one) => !/^node_modules\/@[^/]+$/.test(one))) {
    const [from, to] = [join(folder, path), join(root, path)];
    mkdirSync(dirname(from), { recursive: true });
    symlinkSync(path.startsWith("node_modules/@weft/") ? readlinkSync(to) : to, from);
  }
}
