import { atLeast, atMost, type Scenario } from "../figures/figure.ts";
import { type LoadRequest, type LoadSize, load } from "../load/load.ts";
import type { ServerProcess } from "../load/server-process.ts";
import { createAgent, flowOf, readForeignFlow } from "../weft/agents.ts";
import { modelCallOf, predictionOf } from "../weft/requests.ts";
import { type Loaded, loadProcess, type Weft } from "../weft/start-weft.ts";
import { type House, once } from "./house.ts";

/** The goals that differ between the databases. */
const goals = {
  sqlite: { predictions: atLeast(1_400), added: atMost(1.5, "added") },
  postgres: { predictions: atLeast(800), added: atMost(4, "added") },
};

const direct = "model calls";
const marker = "Hello";

type Subject = Weft & { agents: { llm: string; imported: string; withTool: string } };

/** What a prediction costs, start → llm with a model that answers at once, beside calls of that model without Weft. */
export function predictionScenarios(house: House, database: "sqlite" | "postgres"): Scenario[] {
  const subject = once(() => startSubject(house, database));
  const { model, toolModel } = house.models;
  const call = modelCallOf(model.url);
  const many = (seconds: number) => ({ connections: 16, seconds });
  const onLoad = async (request: (subject: Subject) => LoadRequest, size: LoadSize, of: ServerProcess = model) => {
    const weft = await subject();
    return loadProcess({ name: "weft", pid: weft.platform.pid, model: of }, request(weft), size);
  };
  const predict =
    (agent: keyof Subject["agents"], streaming = false) =>
    ({ target, agents }: Subject) =>
      predictionOf(target, agents[agent], { streaming });

  const rates: Scenario = {
    name: "predictions",
    database,
    warmsUp: true,
    figures: [
      { title: "predictions, 16 connections", unit: "/s", baseline: direct, goal: goals[database].predictions },
      { title: "  CPU a run, main thread", unit: "ms", ...(database === "sqlite" && { goal: atMost(0.65) }) },
      { title: "  CPU a run, all threads", unit: "ms", ...(database === "sqlite" && { goal: atMost(0.95) }) },
    ],
    async measure(seconds) {
      const baseline = await load(call, many(seconds / 3));
      const result = await onLoad(predict("llm"), many(seconds));
      const { mainMs, allMs } = result.cpu;
      return [toRate(result, baseline.perSecond), { value: mainMs / result.count }, { value: allMs / result.count }];
    },
  };

  const rateOf = (
    name: string,
    { title, agent, goal, of }: { title: string; agent: "imported" | "withTool"; goal: number; of?: ServerProcess },
  ): Scenario => ({
    name,
    database,
    warmsUp: true,
    figures: [{ title, unit: "/s", baseline: direct, ...(database === "sqlite" && { goal: atLeast(goal) }) }],
    async measure(seconds) {
      const baseline = await load(call, many(seconds / 3));
      return [toRate(await onLoad(predict(agent), many(seconds), of), baseline.perSecond)];
    },
  });

  const latency: Scenario = {
    name: "latency",
    database,
    warmsUp: true,
    figures: [{ title: "prediction, 1 connection, p50", unit: "ms", baseline: direct, goal: goals[database].added }],
    async measure(seconds) {
      const one = { connections: 1, seconds };
      const baseline = await load(call, { connections: 1, seconds: seconds / 3 });
      const result = await onLoad(predict("llm"), one);
      return [{ value: result.p50Ms, baseline: baseline.p50Ms, cores: result.busy }];
    },
  };

  const firstToken = (connections: number, limitMs: number): Scenario => ({
    name: "first-token",
    database,
    warmsUp: true,
    figures: [
      {
        title: `first token, ${connections} connection${connections > 1 ? "s" : ""}, p50`,
        unit: "ms",
        baseline: direct,
        ...(database === "sqlite" && { goal: atMost(limitMs, "added") }),
      },
    ],
    async measure(seconds) {
      const baseline = await load(modelCallOf(model.url, { streaming: true }), {
        connections,
        seconds: seconds / 3,
        marker,
      });
      const result = await onLoad(predict("llm", true), { connections, seconds, marker });
      return [{ value: result.firstByteP50Ms, baseline: baseline.firstByteP50Ms, cores: result.busy }];
    },
  });

  return [
    rates,
    rateOf("imported", { title: "imported flow with a credential", agent: "imported", goal: 1_100 }),
    rateOf("tool", { title: "with one tool call", agent: "withTool", goal: 800, of: toolModel }),
    latency,
    firstToken(1, 1.2),
    firstToken(16, 6),
  ];
}

function toRate({ perSecond, busy }: Loaded, baseline: number) {
  return { value: perSecond, baseline, cores: busy };
}

async function startSubject(house: House, database: "sqlite" | "postgres"): Promise<Subject> {
  const databaseUrl = database === "postgres" ? await house.createDatabase() : "";
  const { toolModel, model } = house.models;
  const weft = await house.startWeft({
    databaseUrl,
    env: { EGRESS_ALLOW: `127.0.0.1:${toolModel.port},127.0.0.1:${model.port}` },
  });
  const { platform, eventsUrl } = weft;
  const credential = await platform.call<{ id: string }>("POST", "/credentials", {
    name: "Bench",
    credentialName: "openAIApi",
    plainDataObj: { openAIApiKey: "sk-bench" },
    hosts: [new URL(model.url).host],
  });
  const tool = { type: "request-get", config: { url: eventsUrl, name: "get_events", description: "Events" } };
  const toolConfig = {
    model: { provider: "openai-compatible", baseUrl: toolModel.url, model: "scripted" },
    tools: [tool],
  };
  const agents = {
    llm: await createAgent(platform, "llm", flowOf("llm", {})),
    imported: await createAgent(platform, "imported", readForeignFlow(credential.id)),
    withTool: await createAgent(platform, "with a tool", flowOf("agent", toolConfig)),
  };
  return { ...weft, agents };
}
