import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Block, root } from "./read-pages.ts";

/** What blocks run against and where they may write. */
export type Surroundings = {
  /** The server, in place of `localhost:3000`. */
  server: string;
  /** In place of `localhost:5566`. */
  eventApi: string;
  eventApiPort: number;
  dataDir: string;
  token: string;
  /** A folder for what blocks write. */
  scratch: string;
};

export type Outcome = { status: number | null; output: string };

/** A failed request fails its block, and so does any failed command. */
const prelude = `set -euo pipefail
curl() { command curl --fail-with-body "$@"; }
`;

/** Runs the blocks of a page one after the other in one shell, as a reader would who follows it from its head. */
export function runShellBlocks(blocks: readonly Block[], around: Surroundings): Promise<Outcome> {
  const steps = blocks.map(({ place, text }) => `echo "== ${place}" >&2\n${here(text, around)}`);
  return run("bash", ["-c", [prelude, ...steps].join("\n")], around);
}

/** Runs a TypeScript block as a file that imports the packages of this repository. */
export function runTypeScriptBlock({ text }: Block, around: Surroundings): Promise<Outcome> {
  mkdirSync(around.scratch, { recursive: true });
  const file = join(around.scratch, "block.ts");
  const client = new URL("../../packages/client/src/index.ts", import.meta.url).href;
  writeFileSync(file, here(text, around).replaceAll('"@weft/client"', JSON.stringify(client)));
  return run(process.execPath, [file], around);
}

export async function run(command: string, args: readonly string[], around: Surroundings): Promise<Outcome> {
  const { dataDir, server, token, eventApiPort, scratch } = around;
  const EVENT_API_PORT = String(eventApiPort);
  // Nothing else of the tester's environment: a key of a model would send questions to its vendor.
  const { PATH, HOME } = process.env;
  const addresses = { WEFT_URL: `http://${server}`, WEFT_TOKEN: token, EVENT_API_PORT };
  const env = { PATH, HOME, TMPDIR: scratch, DATA_DIR: dataDir, ...addresses };
  const child = spawn(command, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(String(chunk)));
  await once(child, "close");
  return { status: child.exitCode, output: output.join("") };
}

/** What pages read or write in the current folder. */
const files = /(?<![\w/."])((?:weft-export|my-workflow|returns|Sorter)\.[\w.]+)/g;

/** Addresses and folders of the test in place of those of the page. */
function here(text: string, { server, eventApi, scratch }: Surroundings): string {
  return text
    .replaceAll("localhost:3000", server)
    .replaceAll("localhost:5566", eventApi)
    .replaceAll("/backups/", `${scratch}/`)
    .replaceAll(files, `${scratch}/$1`);
}
