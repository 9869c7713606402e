import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { findViolations, layered } from "./architecture.ts";
import { readDoors } from "./house/doors.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const doors = readDoors(root);

function read(patterns: string[]): [string, string][] {
  const exclude = (name: string) => name === "node_modules";
  return globSync(patterns, { cwd: root, exclude }).map((path) => [
    path.replaceAll("\\", "/"),
    readFileSync(join(root, path), "utf8"),
  ]);
}

it("keeps the layers, without cycles", () => {
  const files = new Map(
    read(["{packages/*,apps/*,imports}/src/**/*.{ts,tsx}", "{scripts,proof/bench,proof/e2e}/**/*.ts"]),
  );
  const dependencies = new Map(
    read(["{packages/*,apps/*,imports}/package.json"]).map(([path, text]) => {
      const { dependencies, devDependencies } = JSON.parse(text);
      // What is built into one file is installed with nothing.
      const used = dirname(path) === "packages/builder" ? { ...dependencies, ...devDependencies } : dependencies;
      return [dirname(path), new Set(Object.keys(used ?? {}))];
    }),
  );
  assert.ok(files.size > 50 && dependencies.size > 5, "the workspace was not found");
  assert.deepEqual(findViolations({ files, dependencies, doors }), []);
});

it("names packages that are there", () => {
  assert.deepEqual(
    layered.filter((folder) => !existsSync(join(root, folder))),
    [],
  );
});

const declared = ["zod", "yaml", "undici", "@weft/schema", "@weft/engine", "@weft/server", "@weft/providers"];
const server = "packages/server/src";

const planted: [path: string, text: string, expected: RegExp | undefined][] = [
  ["packages/schema/src/a.ts", 'import { z } from "zod";', undefined],
  ["packages/schema/src/a.ts", 'import { x } from "@weft/engine";', /layer/],
  ["packages/engine/src/a.ts", 'import {\n  x,\n  y,\n} from "node:fs";', /pure/],
  ["packages/engine/src/a.ts", 'export * from "yaml";', /pure/],
  ["packages/engine/src/a.ts", 'const x = await import("node:net");', /pure/],
  ["packages/engine/src/a.ts", 'import type { X } from "@weft/providers";', /layer/],
  ["packages/engine/src/a.test.ts", 'import "node:fs";', undefined],
  ["packages/nodes/src/a.ts", 'import { x } from "@weft/server";', /layer/],
  ["packages/nodes/src/a.ts", 'import { x } from "@weft/engine";\nimport { y } from "yaml/parse";', undefined],
  ["packages/nodes/src/a.ts", 'import "../../engine/src/b.ts";', /another package/],
  ["packages/nodes/src/a.ts", 'import pg from "pg";', /does not declare/],
  ["packages/nodes/src/a.ts", 'import { request } from "node:https";', /egress/],
  ["packages/egress/src/a.ts", 'import { request } from "node:https";', undefined],
  ["packages/sandbox/src/a.ts", 'import vm from "node:vm";', /sandbox alone/],
  [`${server}/mcp/command-servers.ts`, 'import { spawn } from "node:child_process";', undefined],
  [`${server}/mcp/mcp.service.ts`, 'import { spawn } from "node:child_process";', /sandbox alone/],
  ["packages/novel/src/a.ts", 'import "zod";', /no layer/],
  ["packages/nodes/src/utils/a.ts", "", /no such folder/],
  ["packages/nodes/src/a.ts", "const home = process.env.HOME;", /process\.env/],
  ["packages/nodes/src/a.ts", " * Reads no process.env.", undefined],
  ["packages/nodes/src/a.ts", "await new Promise((resolve) => setTimeout(resolve, 1_000));", /timer/],
  ["packages/nodes/src/a.ts", "const timer = setInterval(look, 1_000);", /timer/],
  ["packages/nodes/src/a.ts", 'import { setTimeout as sleep } from "node:timers/promises";', /timer/],
  ["packages/nodes/src/a.ts", "const signal = AbortSignal.timeout(1_000);", /timer/],
  ["packages/engine/src/a.ts", "globalThis.setTimeout(go, 1);", /timer/],
  ["packages/nodes/src/a.ts", "// A setTimeout would not survive the process.", undefined],
  ["packages/nodes/src/a.test.ts", "setTimeout(go, 1);", undefined],
  ["packages/http/src/a.ts", "setTimeout(go, 1);", undefined],
  [`${server}/config.ts`, "const home = process.env.HOME;", undefined],
  [`${server}/agents/agents.routes.ts`, 'import { x } from "./agents.store.ts";', /calls its service/],
  [`${server}/agents/agents.routes.ts`, 'import type { X } from "@weft/database";', /calls its service/],
  [`${server}/agents/agents.routes.ts`, 'import { x } from "@weft/database/secret-file";', /calls its service/],
  [`${server}/agents/feature.ts`, 'import { x } from "./agents.store.ts";\ndefineRoute({});', /calls its service/],
  [`${server}/agents/feature.ts`, 'import { x } from "@weft/database";\ndefineResource({});', /calls its service/],
  [`${server}/agents/agents.service.ts`, 'import { x } from "./agents.store.ts";', undefined],
  [`${server}/agents/agents.service.ts`, 'import { x } from "../runs/runs.service.ts";', undefined],
  [`${server}/agents/agents.service.ts`, 'import { x } from "../runs/runs.store.ts";', /another feature/],
  ["packages/chats/src/leads/lead.service.ts", 'import { x } from "../files/file.store.ts";', /another feature/],
  [`${server}/main.ts`, 'import { x } from "./runs/runs.store.ts";', undefined],
  ["apps/event-api/src/a.ts", 'import { x } from "@weft/schema";', /layer/],
  ["imports/src/a.ts", 'import { x } from "@weft/engine";', undefined],
  ["imports/src/a.ts", 'import { x } from "@weft/server";', /layer/],
  ["imports/src/a.ts", 'import "../../packages/dialects/src/b.ts";', /another package/],
  ["imports/src/a.ts", "setTimeout(go, 1);", /timer/],
  ["packages/dialects/src/a.ts", 'import { x } from "@weft/imports";', /layer/],
  ["packages/agents/src/a.ts", 'import type { X } from "@weft/imports";', /layer/],
  ["packages/nodes/src/a.ts", 'import { x } from "./a.ts";', /^cycle: packages\/nodes\/src\/a\.ts → packages/],
];

for (const [path, text, expected] of planted) {
  it(`${expected === undefined ? "allows" : "refuses"} in ${path}: ${text.replaceAll("\n", " ")}`, () => {
    const dependencies = new Map([[/^(?:imports|\w+\/[\w-]+)/.exec(path)?.[0] ?? "", new Set(declared)]]);
    const found = findViolations({ files: new Map([[path, text]]), dependencies, doors });
    assert.equal(found.length, expected === undefined ? 0 : 1, found.join("\n"));
    if (expected !== undefined) assert.match(found[0] ?? "", expected);
  });
}

it("lets nobody past the door of a room", () => {
  const files = new Map([
    ["packages/engine/src/room/index.ts", 'export { a } from "./a.ts";'],
    ["packages/engine/src/room/a.ts", 'import { b } from "./deep/b.ts";'],
    ["packages/engine/src/room/deep/b.ts", 'import { c } from "../c.ts";'],
    ["packages/engine/src/room/c.ts", ""],
    ["packages/engine/src/room/a.test.ts", 'import { a } from "./a.ts";'],
    ["packages/engine/src/outside.ts", 'import { a } from "./room/index.ts";\nimport { b } from "./room/deep/b.ts";'],
    ["packages/engine/src/outside.test.ts", 'import { b } from "./room/deep/b.ts";'],
  ]);
  const found = findViolations({ files, dependencies: new Map(), doors });
  assert.deepEqual(found, [
    "packages/engine/src/outside.ts: imports ./room/deep/b.ts, but its room is entered by packages/engine/src/room/index.ts",
  ]);
});

it("lets the list of features take a feature from its room, and nobody else", () => {
  const use = 'import { a } from "./room/feature.ts";';
  const files = new Map([
    ["packages/server/src/room/index.ts", ""],
    ["packages/server/src/room/feature.ts", ""],
    ["packages/server/src/features.ts", use],
    ["packages/server/src/other.ts", use],
  ]);
  assert.deepEqual(findViolations({ files, dependencies: new Map(), doors }), [
    "packages/server/src/other.ts: imports ./room/feature.ts, but its room is entered by packages/server/src/room/index.ts",
  ]);
});

it("wants a door for a room of six files", () => {
  const inRoom = (count: number) =>
    new Map(Array.from({ length: count }, (_, index) => [`packages/server/src/room/${index}.ts`, ""]));
  assert.deepEqual(findViolations({ files: inRoom(5), dependencies: new Map(), doors }), []);
  assert.deepEqual(findViolations({ files: inRoom(6), dependencies: new Map(), doors }), [
    "packages/server/src/room: 6 files and no index.ts",
  ]);
});

it("finds cycles through a package's doors", () => {
  const files = new Map([
    ["packages/engine/src/index.ts", 'export { a } from "./a.ts";'],
    ["packages/engine/src/a.ts", 'import { b } from "./b.ts";\nimport { c } from "./c.ts";'],
    ["packages/engine/src/b.ts", 'import { c } from "./c.ts";'],
    ["packages/engine/src/c.test.ts", 'import { a } from "@weft/engine";'],
    ["packages/engine/src/ports/clock.ts", 'import type { b } from "../node-type.ts";'],
    ["packages/engine/src/node-type.ts", 'import type { a } from "@weft/engine/ports/clock";'],
    ["packages/engine/src/c.ts", 'export { a } from "./index.ts";'],
  ]);
  const cycles = findViolations({ files, dependencies: new Map(), doors }).filter((found) => found.startsWith("cycle"));
  assert.equal(cycles.length, 2, cycles.join("\n"));
  assert.match(cycles[1] ?? "", /ports\/clock\.ts → .*node-type\.ts → .*ports\/clock\.ts$/);
  assert.match(cycles[0] ?? "", /index\.ts → .*a\.ts → .*b\.ts → .*c\.ts → .*index\.ts$/);
});
