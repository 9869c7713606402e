// Sends the platform requests made from its OpenAPI document: `./weft fuzz --seed 7 --requests 20000`.
// DATABASE_URL names an empty PostgreSQL database; without it SQLite is used.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { fuzzPlatform } from "./fuzz/fuzz-platform.ts";
import type { FuzzReport } from "./fuzz/run-fuzz.ts";

const { values } = parseArgs({ options: { seed: { type: "string" }, requests: { type: "string" } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const requests = Number(values.requests ?? 20_000);

const dataDir = await mkdtemp(join(tmpdir(), "weft-fuzz-"));
const databaseUrl = process.env.DATABASE_URL ?? "";
const databases = { createTestStorage: async () => ({ databaseUrl, dataDir }) } as unknown as TestDatabases;
const endings: (() => unknown)[] = [() => rm(dataDir, { recursive: true, force: true })];

const startedAt = performance.now();
const report = await fuzzPlatform({ after: (end) => endings.splice(-1, 0, end) }, databases, { seed, requests });
for (const end of endings) await end();
print(report);
process.exitCode = report.failures.length === 0 ? 0 : 1;

function print({ failures, statuses }: FuzzReport): void {
  const lines = [...statuses].toSorted().map(([operation, counts]) => {
    const shown = [...counts].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}×${count}`);
    return `${operation.padEnd(28)} ${shown.join("  ")}`;
  });
  for (const { number, reason, curl, answer } of failures) {
    lines.push("", `Request ${number} of seed ${seed}: ${reason}`, shorten(curl), shorten(answer));
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  lines.push("", `${requests} requests of seed ${seed} in ${seconds} s: ${failures.length} kinds of failure.`);
  process.stdout.write(`${lines.join("\n")}\n`);
}

function shorten(text: string): string {
  return text.length > 3_000 ? `${text.slice(0, 3_000)}… (${text.length} characters)` : text;
}
