import { unpackPreviousRelease } from "../../../packages/server/src/testing/previous-release.ts";
import { atLeast, atMost, type Reading, type Scenario } from "../figures/figure.ts";
import type { LoadSize } from "../load/load.ts";
import { BenchError } from "../report/bench-error.ts";
import { createAgent, flowOf } from "../weft/agents.ts";
import { predictionOf } from "../weft/requests.ts";
import { type Loaded, loadProcess, type Weft } from "../weft/start-weft.ts";
import { type House, once } from "./house.ts";

/** How much more time than in the last release something may take; rates may be a tenth lower. */
const slack = 1.1;
/** Both have answered so many requests before the first round: code is faster once it was compiled. */
const warmUpRequests = 2_000;
const marker = "Hello";

type Subject = { weft: Weft; agents: { llm: string; tool: string } };

/**
 * This server beside the last release, on one machine in the same minute: start → llm, and an agent with one tool call.
 * Both get equally many requests, in turns, and each goes first in every second round.
 */
export function releaseScenarios(house: House): Scenario[] {
  const subjects = once(() => startBoth(house));
  const turns = new Map<string, number>();

  async function both(agent: keyof Subject["agents"], size: LoadSize, streaming = false): Promise<[Loaded, Loaded]> {
    const { before, now } = await subjects();
    const { model, toolModel } = house.models;
    const measure = ({ weft, agents }: Subject) =>
      loadProcess(
        { name: "weft", pid: weft.platform.pid, model: agent === "tool" ? toolModel : model },
        predictionOf(weft.target, agents[agent], { streaming }),
        size,
      );
    const what = JSON.stringify([agent, size, streaming]);
    const turn = (turns.get(what) ?? 0) + 1;
    turns.set(what, turn);
    if (turn % 2 === 0) {
      const first = await measure(now);
      return [await measure(before), first];
    }
    const first = await measure(before);
    return [first, await measure(now)];
  }

  const scenario = (name: string, figures: Scenario["figures"], measure: Scenario["measure"]): Scenario => {
    const baseline = "the last release";
    return { name, database: "sqlite", warmsUp: false, figures: figures.map((one) => ({ ...one, baseline })), measure };
  };
  const rates = (name: string, title: string, agent: keyof Subject["agents"]) =>
    scenario(
      name,
      [
        { title, unit: "/s", goal: atLeast(0.9, "ratio") },
        { title: "  CPU a run, all threads", unit: "ms", goal: atMost(slack, "ratio") },
      ],
      async (seconds) => {
        const [before, now] = await both(agent, { connections: 16, requests: seconds * 400 });
        return [
          { value: now.perSecond, baseline: before.perSecond },
          { value: now.cpu.allMs / now.count, baseline: before.cpu.allMs / before.count },
        ];
      },
    );
  const times = (title: string, size: LoadSize, read: (loaded: Loaded) => number, streaming: boolean) =>
    scenario("latency", [{ title, unit: "ms", goal: atMost(slack, "ratio") }], async (seconds) => {
      const [before, now] = await both(
        "llm",
        { ...size, requests: seconds * (size.connections === 1 ? 100 : 400) },
        streaming,
      );
      return [{ value: read(now), baseline: read(before) } satisfies Reading];
    });

  return [
    rates("predictions", "predictions, 16 connections", "llm"),
    rates("tool", "with one tool call, 16 connections", "tool"),
    times("prediction, 1 connection, p50", { connections: 1 }, ({ p50Ms }) => p50Ms, false),
    times(
      "first token, 16 connections, p50",
      { connections: 16, marker },
      ({ firstByteP50Ms }) => firstByteP50Ms,
      true,
    ),
  ];
}

async function startBoth(house: House): Promise<{ before: Subject; now: Subject }> {
  const previous = unpackPreviousRelease();
  if ("why" in previous) throw new BenchError(`The last release cannot be started: ${previous.why}.`);
  const [before, now] = [await startSubject(house, previous.folder), await startSubject(house)];
  for (const { weft, agents } of [before, now]) {
    for (const agent of [agents.llm, agents.tool])
      await loadProcess({ name: "weft", pid: weft.platform.pid }, predictionOf(weft.target, agent), {
        connections: 16,
        requests: warmUpRequests,
      });
  }
  return { before, now };
}

async function startSubject(house: House, sources?: string): Promise<Subject> {
  const { toolModel } = house.models;
  const weft = await house.startWeft({ ...(sources !== undefined && { sources }) });
  const tool = { type: "request-get", config: { url: weft.eventsUrl, name: "get_events", description: "Events" } };
  const model = { provider: "openai-compatible", baseUrl: toolModel.url, model: "scripted" };
  return {
    weft,
    agents: {
      llm: await createAgent(weft.platform, "llm", flowOf("llm", {})),
      tool: await createAgent(weft.platform, "with a tool", flowOf("agent", { model, tools: [tool] })),
    },
  };
}
