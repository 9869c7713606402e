import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { atMost, type Scenario } from "../figures/figure.ts";
import type { House } from "./house.ts";

const bareNode = "Node itself";

/**
 * From the start of the process to its first answer: for the first time, with an empty data folder and no compiled code
 * kept, and as a restart of the same, beside what Node takes to start and end.
 */
export function startScenario(house: House): Scenario {
  return {
    name: "start",
    database: "sqlite",
    warmsUp: false,
    figures: [
      { title: "start to first answer, warm", unit: "ms", baseline: bareNode, goal: atMost(450) },
      { title: "start to first answer, cold", unit: "ms", baseline: bareNode },
    ],
    async measure() {
      const folder = await house.createFolder();
      const dataDir = join(folder, "data");
      const options = { dataDir, env: { NODE_COMPILE_CACHE: join(folder, "compiled") } };
      const startMs: number[] = [];
      for (let start = 0; start < 2; start += 1) {
        const { platform } = await house.startWeft(options);
        startMs.push(platform.startMs);
        await platform.kill("SIGTERM");
      }
      rmSync(folder, { recursive: true, force: true });
      const baseline = timeBareNode();
      const [cold = Number.NaN, warm = Number.NaN] = startMs;
      return [
        { value: warm, baseline },
        { value: cold, baseline },
      ];
    },
  };
}

function timeBareNode(): number {
  const startedAt = performance.now();
  spawnSync(process.execPath, ["-e", "0"]);
  return performance.now() - startedAt;
}
