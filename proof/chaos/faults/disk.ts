import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "./fault.ts";

/** A disk that is soon full. */
export type SmallDisk = { path: string; remove(): Promise<void> };

/** Undefined where this user may mount none. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  const path = await mkdtemp(join(tmpdir(), "weft-chaos-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0700`, "tmpfs", path], { stdio: "ignore" });
  } catch {
    await rm(path, { recursive: true });
    return undefined;
  }
  return {
    path,
    async remove() {
      execFileSync("umount", [path]);
      await rm(path, { recursive: true });
    },
  };
}

/** Fills the disk to its last byte for some seconds. The data folder must be on a small one. */
export const fullDisk: Fault = {
  name: "full disk",
  async strike({ cluster, random, struck }) {
    const filler = join(cluster.dataDir, "filler");
    const file = openSync(filler, "w");
    struck();
    try {
      for (const size of [1_048_576, 4_096]) fill(file, Buffer.alloc(size, 1));
      await sleep(random.between(2_000, 4_000));
    } finally {
      closeSync(file);
      rmSync(filler);
    }
  },
};

function fill(file: number, block: Buffer): void {
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
