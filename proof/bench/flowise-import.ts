import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { buildFlowiseDatabase } from "../../packages/flowise-source/src/testing/build-flowise-database.ts";
import { startPlatformProcess } from "../../packages/server/src/testing/platform-process.ts";

// `node proof/bench/flowise-import.ts`: how long `npm run import-flowise` takes for a whole installation in a SQLite database, and
// the most memory that it holds, beside a dry run of the same and an import again, which finds everything there.
// Embedding is not part of it: the server does that afterwards.

const sizes = { agents: 50, messages: 100_000, chunks: 10_000, executions: 200 };
const aim = { seconds: 180, megabytes: 300 };

type Measured = { seconds: number; megabytes: number };

const folder = await mkdtemp(join(tmpdir(), "weft-import-"));
try {
  const source = join(folder, "flowise");
  await mkdir(source);
  const { database, keyFile, storage } = await buildFlowiseDatabase({ folder: source, sizes });
  // A server makes its own database when it starts first.
  const platform = await startPlatformProcess({ dataDir: join(folder, "data") });
  await platform.kill("SIGTERM");
  const from = ["--database", database, "--key", keyFile, "--storage", storage, "--open-flows", "closed"];
  const rehearsed = await measure([...from, "--dry-run"]);
  print("dry run", rehearsed);
  const imported = await measure(from);
  print("import", imported);
  const repeated = await measure(from);
  print("import again", repeated);
  console.log(
    `an import takes ${(imported.seconds / rehearsed.seconds).toFixed(2)} times as long as a dry run; aims: ${aim.seconds} s, ${aim.megabytes} MB; load ${loadavg()[0]?.toFixed(1)}`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

function print(name: string, { seconds, megabytes }: Measured): void {
  console.log(`${name}: ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB at most`);
}

/** Runs the command as the script of package.json does. Memory is read while it runs: Linux alone says it. */
async function measure(args: readonly string[]): Promise<Measured> {
  const flags = ["--max-semi-space-size=4", "--optimize-for-size"];
  const begunAt = performance.now();
  const child = spawn(process.execPath, [...flags, "scripts/command.mjs", "cli", "import-flowise", ...args], {
    env: { ...process.env, DATA_DIR: join(folder, "data"), DATABASE_URL: "" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  let megabytes = Number.NaN;
  const watch = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
    if (kilobytes !== undefined) megabytes = Number(kilobytes) / 1_000;
  }, 50);
  const code = await new Promise((resolve) => child.once("close", resolve));
  clearInterval(watch);
  if (code !== 0) throw new Error(`The import ended with status ${code}.`);
  return { seconds: (performance.now() - begunAt) / 1_000, megabytes };
}
