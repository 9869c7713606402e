import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BenchError } from "./report/bench-error.ts";

/** A package of Debian 12, pinned byte by byte. */
export type PinnedPackage = { name: string; version: string; architecture: "all" | "amd64"; sha256: string };

/**
 * The folder of a package's files, downloaded and unpacked into the given folder unless they are there already. Rejects
 * what is not the pinned archive, and says what to do when Debian no longer has it.
 */
export function fetchPackage(cache: string, pinned: PinnedPackage): string {
  mkdirSync(cache, { recursive: true });
  const archive = join(cache, archiveNameOf(pinned));
  if (!existsSync(archive)) download(cache, pinned);
  const found = hash("sha256", readFileSync(archive));
  if (found !== pinned.sha256) {
    throw new BenchError(`${archive} has the SHA-256 ${found} and not ${pinned.sha256}. Remove it and start again.`);
  }
  const unpacked = join(cache, pinned.name);
  if (!existsSync(unpacked)) execFileSync("dpkg-deb", ["-x", archive, unpacked]);
  return unpacked;
}

/** As `apt-get download` saves it: the colon of an epoch is escaped. */
function archiveNameOf({ name, version, architecture }: PinnedPackage): string {
  return `${name}_${version.replace(":", "%3a")}_${architecture}.deb`;
}

function download(cache: string, pinned: PinnedPackage): void {
  try {
    const wanted = `${pinned.name}=${pinned.version}`;
    execFileSync("apt-get", ["download", "-qq", wanted], { cwd: cache, stdio: "pipe" });
  } catch (error) {
    throw new BenchError(whatToDo(cache, pinned, error instanceof Error ? error.message.trim() : String(error)));
  }
  const name = archiveNameOf(pinned);
  if (!existsSync(join(cache, name))) {
    throw new BenchError(whatToDo(cache, pinned, `apt-get did not write ${name}.`));
  }
}

function whatToDo(cache: string, pinned: PinnedPackage, reason: string): string {
  return [
    `${pinned.name} ${pinned.version} could not be downloaded: ${reason}`,
    "It takes apt-get and dpkg-deb of Debian 12, and a fresh `apt-get update`.",
    `When Debian has replaced that version: take ${archiveNameOf(pinned)} from snapshot.debian.org into ${cache}, or pin the`,
    "new version and its SHA-256 and report the figures with it: they may change a little.",
  ].join("\n");
}
