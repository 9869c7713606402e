import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { atMost, type Scenario } from "../figures/figure.ts";
import { load } from "../load/load.ts";
import { createAgent, flowOf } from "../weft/agents.ts";
import { predictionOf } from "../weft/requests.ts";
import type { House } from "./house.ts";

/** What a run leaves on the disk: growth of the data folder, each time measured when the server has ended and left no log behind. */
export function diskScenario(house: House, isQuick: boolean): Scenario {
  const runs = isQuick ? 300 : 2_000;
  return {
    name: "disk",
    database: "sqlite",
    warmsUp: false,
    figures: [{ title: "disk a run", unit: "KB", goal: atMost(5) }],
    async measure() {
      const dataDir = await house.createFolder();
      const first = await house.startWeft({ dataDir });
      const agentId = await createAgent(first.platform, "llm", flowOf("llm", {}));
      await first.platform.kill("SIGTERM");
      const before = sizeOf(dataDir);
      const { platform, target } = await house.startWeft({ dataDir });
      await load(predictionOf(target, agentId), { connections: 16, requests: runs });
      await platform.kill("SIGTERM");
      return [{ value: (sizeOf(dataDir) - before) / runs / 1_024 }];
    },
  };
}

function sizeOf(folder: string): number {
  return globSync("**", { cwd: folder }).reduce((sum, name) => {
    const file = statSync(join(folder, name));
    return file.isFile() ? sum + file.size : sum;
  }, 0);
}
