import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { type RunEvent, runEventBodySchema } from "@weft/schema";
import { z } from "zod";
import { assertGuarantees } from "./testing/assert-guarantees.ts";
import { type FaultyRun, goOnFrom, runWithFaults, type Scenario } from "./testing/fault-runs.ts";
import { scenarios } from "./testing/fault-scenarios.ts";

const folder = fileURLToPath(new URL("../journals/", import.meta.url));
const eventSchema = runEventBodySchema.and(z.object({ seq: z.number(), at: z.number() }));
const journalSchema = z.object({ scenario: z.string(), flow: z.string(), events: z.array(eventSchema) });

/** The journals that a release wrote, as it wrote them: nobody changes them, a release adds a folder. */
const journals = globSync("*/*.json", { cwd: folder }).map((path) => ({
  path,
  ...journalSchema.parse(JSON.parse(readFileSync(`${folder}${path}`, "utf8"))),
}));

function endOf(events: readonly RunEvent[]) {
  const end = events.at(-1);
  return end?.type === "run-completed" ? { type: end.type, text: end.text, json: end.json } : { type: end?.type };
}

describe("journals of earlier releases", () => {
  it("are those of every scenario", () => {
    const known = journals.filter(({ path }) => path.startsWith("0.3.0/")).map(({ scenario }) => scenario);
    assert.equal(known.length, 23);
    for (const name of known) assert.ok(scenarios[name], name);
  });

  for (const { path, scenario: name, flow, events } of journals) {
    it(`keeps the guarantees from every event of ${path} on`, async () => {
      const scenario: Scenario = { ...(scenarios[name] as Scenario), flow };
      const base: FaultyRun = await runWithFaults(scenario, []);
      assert.deepEqual(endOf(base.events), endOf(events));
      for (let length = 1; length < events.length; length += 1) {
        const run = await goOnFrom(scenario, events.slice(0, length));
        assertGuarantees(scenario, base, { ...run, label: `${path} from event ${length}` });
        assert.deepEqual(run.events.slice(0, length), events.slice(0, length));
      }
    });
  }
});
