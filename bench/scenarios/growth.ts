import { atLeast, atMost, type Figure, type Scenario } from "../figures/figure.ts";
import { fill } from "../fill.ts";
import { type LoadRequest, load } from "../load/load.ts";
import { predictionOf, requestOf } from "../weft/requests.ts";
import { loadProcess, type Weft } from "../weft/start-weft.ts";
import { type House, once } from "./house.ts";

const many = 100_000;
const few = 100;

type Subject = Weft & { agentId: string; sessionId: string };

/** The same requests to an installation with 100,000 agents, runs and messages and to one with 100, in one round: within 10 %. */
export function growthScenarios(house: House): Scenario[] {
  const large = once(() => startFilled(house, many));
  const small = once(() => startFilled(house, few));
  const rate = (title: string, request: (subject: Subject) => LoadRequest): Scenario => {
    const measure = async (subject: () => Promise<Subject>, seconds: number) => {
      const weft = await subject();
      const process = { name: "weft", pid: weft.platform.pid, model: house.models.model };
      return loadProcess(process, request(weft), { connections: 16, seconds });
    };
    return grown(title, { unit: "/s", goal: atLeast(0.9, "ratio") }, async (seconds) => {
      const baseline = await measure(small, seconds);
      const { perSecond, busy } = await measure(large, seconds);
      return { value: perSecond, baseline: baseline.perSecond, cores: busy };
    });
  };
  const latency = grown(
    "prediction, 1 connection, p50",
    { unit: "ms", goal: atMost(1.1, "ratio") },
    async (seconds) => {
      const ask = async (subject: () => Promise<Subject>) => {
        const { target, agentId } = await subject();
        return (await load(predictionOf(target, agentId), { connections: 1, seconds })).p50Ms;
      };
      const baseline = await ask(small);
      return { value: await ask(large), baseline };
    },
  );

  return [
    rate("predictions", ({ target, agentId }) => predictionOf(target, agentId)),
    latency,
    rate("GET an agent", ({ target, agentId }) => requestOf(target, "GET", `/chatflows/${agentId}`)),
    rate("first page of 50 agents", ({ target }) => requestOf(target, "GET", "/chatflows?page=1&limit=50")),
    rate("first page of 50 executions", ({ target }) => requestOf(target, "GET", "/executions?page=1&limit=50")),
    rate("executions of one agent", ({ target, agentId }) =>
      requestOf(target, "GET", `/executions?agentflowId=${agentId}&page=1&limit=50`),
    ),
    rate("messages of a session with 1,000", ({ target, agentId, sessionId }) =>
      requestOf(target, "GET", `/chatmessage/${agentId}?sessionId=${sessionId}`),
    ),
  ];
}

function grown(
  title: string,
  figure: Pick<Figure, "unit"> & Required<Pick<Figure, "goal">>,
  measure: (seconds: number) => Promise<{ value: number; baseline: number }>,
): Scenario {
  return {
    name: "growth",
    database: "sqlite",
    warmsUp: true,
    figures: [{ ...figure, title: `${title}, ${many} stored`, baseline: `with ${few}` }],
    measure: async (seconds) => [await measure(seconds)],
  };
}

async function startFilled(house: House, count: number): Promise<Subject> {
  const dataDir = await house.createFolder();
  const filled = await fill(dataDir, count);
  return { ...(await house.startWeft({ dataDir })), ...filled };
}
