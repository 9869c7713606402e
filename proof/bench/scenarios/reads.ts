import { atLeast, type Figure, type Scenario } from "../figures/figure.ts";
import { type LoadRequest, load } from "../load/load.ts";
import { createAgent, readLargeFlow } from "../weft/agents.ts";
import { predictionOf, requestOf } from "../weft/requests.ts";
import { loadProcess, type Weft } from "../weft/start-weft.ts";
import { type House, once } from "./house.ts";
import { measureRawInserts } from "./raw-inserts.ts";

const agentCount = 50;
const messagePairs = 50;
const sessionId = "bench";

type Subject = Weft & { agentId: string; apiKey: string };

/** What reading and writing resources costs, beside pings of the same server: 50 agents of 16 KB, and a session of 100 messages. */
export function readScenarios(house: House): Scenario[] {
  const subject = once(() => startSubject(house));
  const scenario = (name: string, figure: Figure, request: (subject: Subject) => LoadRequest): Scenario => ({
    name,
    database: "sqlite",
    warmsUp: true,
    figures: [{ baseline: "pings", ...figure }],
    async measure(seconds) {
      const weft = await subject();
      const ping = await load(requestOf(weft.target, "GET", "/ping"), { connections: 16, seconds: seconds / 3 });
      const process = { name: "weft", pid: weft.platform.pid };
      const { perSecond, busy } = await loadProcess(process, request(weft), { connections: 16, seconds });
      return [{ value: perSecond, baseline: ping.perSecond, cores: busy }];
    },
  });
  const list = (what: string): Figure => ({ title: what, unit: "/s" });

  return [
    scenario("read", { title: "GET an agent of 16 KB, API key", unit: "/s", goal: atLeast(12_000) }, (weft) =>
      requestOf({ ...weft.target, key: weft.apiKey }, "GET", `/chatflows/${weft.agentId}`),
    ),
    scenario("read", { title: "GET an agent of 16 KB, JWT", unit: "/s", goal: atLeast(12_000) }, (weft) =>
      requestOf(weft.target, "GET", `/chatflows/${weft.agentId}`),
    ),
    scenario("list", { title: `list of ${agentCount} agents of 16 KB`, unit: "/s", goal: atLeast(700) }, (weft) =>
      requestOf(weft.target, "GET", "/chatflows"),
    ),
    scenario("executions", list("first page of 50 executions"), (weft) =>
      requestOf(weft.target, "GET", "/executions?page=1&limit=50"),
    ),
    scenario("messages", list(`messages of a session with ${2 * messagePairs}`), (weft) =>
      requestOf(weft.target, "GET", `/chatmessage/${weft.agentId}?sessionId=${sessionId}`),
    ),
    createScenario(house, subject),
  ];
}

function createScenario(house: House, subject: () => Promise<Subject>): Scenario {
  return {
    name: "create",
    database: "sqlite",
    warmsUp: true,
    figures: [{ title: "create a variable, 16 connections", unit: "/s", baseline: "bare durable inserts" }],
    async measure(seconds) {
      const { target, platform } = await subject();
      const raw = measureRawInserts(await house.createFolder(), seconds / 3);
      const request = requestOf(target, "POST", "/variables", { name: "{{unique}}", value: "x" });
      const process = { name: "weft", pid: platform.pid };
      const { perSecond, busy } = await loadProcess(process, request, { connections: 16, seconds });
      return [{ value: perSecond, baseline: raw, cores: busy }];
    },
  };
}

async function startSubject(house: House): Promise<Subject> {
  const weft = await house.startWeft();
  const { platform, target } = weft;
  let agentId = "";
  for (let index = 0; index < agentCount; index += 1) {
    agentId = await createAgent(platform, `Agent ${index}`, readLargeFlow());
  }
  const { body, ...prediction } = predictionOf(target, agentId);
  const question = JSON.stringify({ ...JSON.parse(body ?? "{}"), overrideConfig: { sessionId } });
  await load({ ...prediction, body: question }, { connections: 1, requests: messagePairs });
  const { apiKey } = await platform.call<{ apiKey: string }>("POST", "/apikey", {
    keyName: "bench",
    permissions: ["*"],
  });
  return { ...weft, agentId, apiKey };
}
