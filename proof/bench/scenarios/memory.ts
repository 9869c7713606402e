import { setTimeout as sleep } from "node:timers/promises";
import { atMost, type Scenario } from "../figures/figure.ts";
import { load } from "../load/load.ts";
import { readResidentMb } from "../load/threads.ts";
import { createAgent, flowOf } from "../weft/agents.ts";
import { predictionOf } from "../weft/requests.ts";
import type { House } from "./house.ts";

const sampleMs = 50;
const restMs = 30_000;

/** Resident memory of a new server through a load and after it. `isQuick`: fewer runs, and no rest. */
export function memoryScenario(house: House, isQuick: boolean): Scenario {
  const runs = isQuick ? 300 : 4_000;
  const atRest = {
    title: `memory at rest, ${restMs / 1_000} s after ${runs} runs`,
    unit: "MB",
    goal: atMost(165),
  } as const;
  return {
    name: "memory",
    database: "sqlite",
    warmsUp: false,
    figures: [
      { title: "memory at the start", unit: "MB", goal: atMost(145) },
      { title: "memory under load, highest", unit: "MB", goal: atMost(260) },
      { title: "memory after the load", unit: "MB" },
      ...(isQuick ? [] : [atRest]),
    ],
    async measure() {
      const { platform, target } = await house.startWeft();
      const read = () => ({ value: readResidentMb(platform.pid) });
      const atStart = read();
      const request = predictionOf(target, await createAgent(platform, "llm", flowOf("llm", {})));
      let highest = 0;
      const timer = setInterval(() => {
        highest = Math.max(highest, read().value);
      }, sampleMs);
      await load(request, { connections: 16, requests: runs });
      clearInterval(timer);
      const after = read();
      if (!isQuick) await sleep(restMs);
      const rest = read();
      await platform.remove();
      return [atStart, { value: Math.max(highest, after.value) }, after, ...(isQuick ? [] : [rest])];
    },
  };
}
