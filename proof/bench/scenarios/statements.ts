import { atMost, type Scenario } from "../figures/figure.ts";
import { load } from "../load/load.ts";
import { createAgent, flowOf } from "../weft/agents.ts";
import { startPostgresProxy } from "../weft/postgres-proxy.ts";
import { predictionOf } from "../weft/requests.ts";
import type { Weft } from "../weft/start-weft.ts";
import { type House, once } from "./house.ts";

/** Enough that what the server does now and then by itself counts for little. */
const runsOf = { quick: 100, whole: 400 };
const warmUp = 30;
const signalWaitMs = 2_000;

type StatementOptions = { hasPostgres: boolean; isQuick: boolean };

/** What one prediction asks of the database when it is alone. Counted, so the same on every machine. */
export function statementScenarios(house: House, { hasPostgres, isQuick }: StatementOptions): Scenario[] {
  const runs = isQuick ? runsOf.quick : runsOf.whole;
  return [sqliteStatements(house, runs), ...(hasPostgres ? [postgresTraffic(house, runs)] : [])];
}

function sqliteStatements(house: House, runs: number): Scenario {
  const counter = new URL("../weft/count-statements.ts", import.meta.url);
  const subject = once(async () => {
    const weft = await house.startWeft({ env: { NODE_OPTIONS: `--import=${counter.href}` } });
    return { weft, predict: await createPrediction(weft, runs) };
  });
  return {
    name: "statements",
    database: "sqlite",
    warmsUp: false,
    figures: [{ title: "SQL statements a prediction", unit: "", goal: atMost(8) }],
    async measure() {
      const { weft, predict } = await subject();
      const before = await readCount(weft);
      await predict();
      return [{ value: ((await readCount(weft)) - before) / runs }];
    },
  };
}

function postgresTraffic(house: House, runs: number): Scenario {
  const subject = once(async () => {
    const proxy = await startPostgresProxy(await house.createDatabase());
    house.onClose(async () => proxy.close());
    const weft = await house.startWeft({ databaseUrl: proxy.url });
    return { proxy, predict: await createPrediction(weft, runs) };
  });
  return {
    name: "statements",
    database: "postgres",
    warmsUp: false,
    figures: [
      { title: "SQL statements a prediction", unit: "" },
      { title: "round trips a prediction", unit: "", goal: atMost(4) },
    ],
    async measure() {
      const { proxy, predict } = await subject();
      const before = proxy.count();
      await predict();
      const after = proxy.count();
      return [
        { value: (after.statements - before.statements) / runs },
        { value: (after.roundTrips - before.roundTrips) / runs },
      ];
    },
  };
}

async function createPrediction({ platform, target }: Weft, runs: number): Promise<() => Promise<unknown>> {
  const request = predictionOf(target, await createAgent(platform, "llm", flowOf("llm", {})));
  await load(request, { connections: 1, requests: warmUp });
  return () => load(request, { connections: 1, requests: runs });
}

async function readCount({ platform }: Weft): Promise<number> {
  const read = () => [...platform.output().matchAll(/sqlite statements: (\d+)/g)];
  const known = read().length;
  process.kill(platform.pid, "SIGUSR2");
  for (let waited = 0; waited < signalWaitMs; waited += 10) {
    const last = read().at(known);
    if (last !== undefined) return Number(last[1]);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("The server does not tell how many statements it ran.");
}
