import { atLeast, atMost, type Figure, type Reading, type Scenario } from "../figures/figure.ts";
import { fill, fillSessions } from "../fill.ts";
import { type LoadRequest, load } from "../load/load.ts";
import { flowOf } from "../weft/agents.ts";
import { predictionOf, requestOf } from "../weft/requests.ts";
import { loadProcess, type Weft } from "../weft/start-weft.ts";
import { type House, once } from "./house.ts";

type Kind = "sqlite" | "postgres";

const many = 100_000;
const few = 100;

type Subject = Weft & { agentId: string; sessionId: string };

/** The same requests to an installation with 100,000 agents, runs and messages and to one with 100, in one round: within 10 %. */
export function growthScenarios(house: House, database: Kind): Scenario[] {
  const large = once(() => startFilled(house, database, many));
  const small = once(() => startFilled(house, database, few));
  const stored = { title: `${many} stored`, baseline: `with ${few}` };
  const rate = (title: string, request: (subject: Subject) => LoadRequest): Scenario => {
    const measure = async (subject: () => Promise<Subject>, seconds: number) => {
      const weft = await subject();
      const process = { name: "weft", pid: weft.platform.pid, model: house.models.model };
      return loadProcess(process, request(weft), { connections: 16, seconds });
    };
    const figure = { title, unit: "/s", goal: atLeast(0.9, "ratio") } as const;
    return grown(database, figure, stored, async (seconds) => {
      const baseline = await measure(small, seconds);
      const { perSecond, busy } = await measure(large, seconds);
      return { value: perSecond, baseline: baseline.perSecond, cores: busy };
    });
  };
  const latency = grown(
    database,
    { title: "prediction, 1 connection, p50", unit: "ms", goal: atMost(1.1, "ratio") },
    stored,
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
    longChat(house, database),
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

const window = 10;
const longLength = 1_000;
/** Chats of each length, and questions to each: few, because each question makes its chat longer. */
const chats = 40;
const questions = 10;

/** A chat costs what its memory setting says, and not what it is long. */
function longChat(house: House, database: Kind): Scenario {
  const subject = once(async () => {
    const place = await createPlace(house, database);
    const flow = flowOf("llm", { memory: { type: "window", size: window } });
    const lengths = Array.from({ length: 2 * chats }, (_, index) => (index % 2 === 0 ? window : longLength));
    const { agentId, sessionIds } = await fillSessions(place, { flow, lengths });
    return { ...(await house.startWeft(place)), agentId, sessionIds };
  });
  const figure = { title: "prediction with the last 10, p50", unit: "ms", goal: atMost(1.1, "ratio") } as const;
  const said = { title: `of ${longLength} messages`, baseline: `of ${window}` };
  return grown(database, figure, said, async () => {
    const { target, agentId, sessionIds } = await subject();
    const taken: Record<"short" | "long", number[]> = { short: [], long: [] };
    for (let pair = 0; pair < 5; pair += 1) {
      for (const kind of ["short", "long"] as const) {
        const chatId = sessionIds.shift();
        if (chatId === undefined) throw new Error("There are no chats left: give fewer rounds.");
        const request = requestOf(target, "POST", `/prediction/${agentId}`, { question: "Say hello.", chatId });
        taken[kind].push((await load(request, { connections: 1, requests: questions })).p50Ms);
      }
    }
    return { value: median(taken.long), baseline: median(taken.short) };
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function grown(
  database: Kind,
  { title, ...figure }: Pick<Figure, "title" | "unit"> & Required<Pick<Figure, "goal">>,
  of: { title: string; baseline: string },
  measure: (seconds: number) => Promise<Reading>,
): Scenario {
  return {
    name: "growth",
    database,
    warmsUp: true,
    figures: [{ ...figure, title: `${title}, ${of.title}`, baseline: of.baseline }],
    measure: async (seconds) => [await measure(seconds)],
  };
}

async function startFilled(house: House, database: Kind, count: number): Promise<Subject> {
  const place = await createPlace(house, database);
  const filled = await fill(place.dataDir, count, place.databaseUrl);
  return { ...(await house.startWeft(place)), ...filled };
}

async function createPlace(house: House, database: Kind) {
  return {
    dataDir: await house.createFolder(),
    databaseUrl: database === "postgres" ? await house.createDatabase() : "",
  };
}
