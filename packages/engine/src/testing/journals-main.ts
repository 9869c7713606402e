import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runWithFaults } from "./fault-runs.ts";
import { scenarios } from "./fault-scenarios.ts";

/**
 * Writes the journal of every scenario as this version has it, into `packages/engine/journals/VERSION`. Part of a
 * release: later versions must go on from each of their events (`journals.test.ts`).
 */
const [version = ""] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error("Name a version, such as 0.4.0.");
const folder = fileURLToPath(new URL(`../../journals/${version}`, import.meta.url));
mkdirSync(folder, { recursive: true });
for (const [name, scenario] of Object.entries(scenarios)) {
  const { events } = await runWithFaults(scenario, []);
  const lines = events.map((event) => `    ${JSON.stringify(event)}`).join(",\n");
  const facts = `  "scenario": ${JSON.stringify(name)},\n  "flow": ${JSON.stringify(scenario.flow)},\n`;
  writeFileSync(join(folder, `${name.replaceAll(" ", "-")}.json`), `{\n${facts}  "events": [\n${lines}\n  ]\n}\n`);
}
