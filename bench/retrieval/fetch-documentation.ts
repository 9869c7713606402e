import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BenchError } from "../report/bench-error.ts";
import { archiveName, source } from "./source.ts";

/**
 * The folder of the documentation's pages, downloaded and unpacked into the given folder unless they are there already.
 * Rejects what is not the pinned archive, byte by byte, and says what to do when Debian no longer has it.
 */
export function fetchDocumentation(cache: string): string {
  mkdirSync(cache, { recursive: true });
  const archive = join(cache, archiveName);
  if (!existsSync(archive)) download(cache, archive);
  const found = hash("sha256", readFileSync(archive));
  if (found !== source.sha256) {
    throw new BenchError(`${archive} has the SHA-256 ${found} and not ${source.sha256}. Remove it and start again.`);
  }
  const unpacked = join(cache, source.package);
  const pages = join(unpacked, source.folder);
  if (!existsSync(pages)) execFileSync("dpkg-deb", ["-x", archive, unpacked]);
  return pages;
}

function download(cache: string, archive: string): void {
  try {
    execFileSync("apt-get", ["download", "-qq", `${source.package}=${source.version}`], { cwd: cache, stdio: "pipe" });
  } catch (error) {
    throw new BenchError(whatToDo(error instanceof Error ? error.message.trim() : String(error)));
  }
  if (!existsSync(archive)) throw new BenchError(whatToDo(`apt-get did not write ${archive}.`));
}

function whatToDo(reason: string): string {
  return [
    `${source.package} ${source.version} could not be downloaded: ${reason}`,
    "It takes apt-get and dpkg-deb of Debian 12, and a fresh `apt-get update`.",
    `When Debian has replaced that version: take ${archiveName} from snapshot.debian.org into .cache/retrieval/, or put the`,
    "new version and its SHA-256 into bench/retrieval/source.ts and report the figures with it: they change a little.",
  ].join("\n");
}
