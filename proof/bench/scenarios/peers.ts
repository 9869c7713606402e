import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { atLeast, type Scenario } from "../figures/figure.ts";
import { type LoadRequest, load } from "../load/load.ts";
import { startServerProcess } from "../load/server-process.ts";
import { BenchError } from "../report/bench-error.ts";
import { createAgent, flowOf } from "../weft/agents.ts";
import { modelCallOf, predictionOf } from "../weft/requests.ts";
import { loadProcess } from "../weft/start-weft.ts";
import { type House, once } from "./house.ts";

const folder = new URL("../peers/", import.meta.url);

/** How many times the runs of the peer Weft should do. */
const leastTimes = 2.5;

type Subject = { name: string; pid: number; request: LoadRequest };

/** Weft beside an agent on DBOS Transact: the same PostgreSQL server, the same model, in turns. Each has a database of its own. */
export function peerScenarios(house: House): Scenario[] {
  const weft = once(() => startWeft(house));
  const dbos = once(() => startDbos(house));
  const { model } = house.models;

  const rates: Scenario = {
    name: "rate",
    database: "postgres",
    warmsUp: true,
    figures: [
      { title: "Weft, 16 connections", unit: "/s", baseline: "DBOS", goal: atLeast(leastTimes, "ratio") },
      { title: "  CPU a run, main thread", unit: "ms", baseline: "DBOS" },
      { title: "  CPU a run, all threads", unit: "ms", baseline: "DBOS" },
      { title: "DBOS, 16 connections", unit: "/s", baseline: "model calls" },
    ],
    async measure(seconds) {
      const measure = async (subject: Subject) => {
        const process = { name: subject.name, pid: subject.pid, model };
        return loadProcess(process, subject.request, { connections: 16, seconds });
      };
      const direct = await load(modelCallOf(model.url), { connections: 16, seconds: seconds / 3 });
      const peer = await measure(await dbos());
      const own = await measure(await weft());
      const cpu = (which: "mainMs" | "allMs") => ({
        value: own.cpu[which] / own.count,
        baseline: peer.cpu[which] / peer.count,
      });
      return [
        { value: own.perSecond, baseline: peer.perSecond, cores: own.busy },
        cpu("mainMs"),
        cpu("allMs"),
        { value: peer.perSecond, baseline: direct.perSecond, cores: peer.busy },
      ];
    },
  };

  const latency: Scenario = {
    name: "latency",
    database: "postgres",
    warmsUp: true,
    figures: [{ title: "Weft, 1 connection, p50", unit: "ms", baseline: "DBOS" }],
    async measure(seconds) {
      const ask = async (subject: Subject) => (await load(subject.request, { connections: 1, seconds })).p50Ms;
      const baseline = await ask(await dbos());
      return [{ value: await ask(await weft()), baseline }];
    },
  };
  return [rates, latency];
}

async function startWeft(house: House): Promise<Subject> {
  const { platform, target } = await house.startWeft({ databaseUrl: await house.createDatabase() });
  const agentId = await createAgent(platform, "llm", flowOf("llm", {}));
  return { name: "weft", pid: platform.pid, request: predictionOf(target, agentId) };
}

async function startDbos(house: House): Promise<Subject> {
  if (!existsSync(new URL("node_modules/@dbos-inc/dbos-sdk", folder))) {
    throw new BenchError("The peers are not installed. Run: npm ci --ignore-scripts --prefix bench/peers");
  }
  const env = {
    PATH: process.env.PATH ?? "",
    NODE_NO_WARNINGS: "1",
    DATABASE_URL: await house.createDatabase(),
    MODEL_URL: house.models.model.url,
  };
  const main = fileURLToPath(new URL("dbos-agent.ts", folder));
  const { port, pid, stop } = await startServerProcess([main], env);
  house.onClose(stop);
  const body = JSON.stringify({ question: "Say hello." });
  const headers = { "content-type": "application/json" };
  const request = { port, method: "POST", path: "/predict", headers, body };
  return { name: "dbos", pid, request };
}
