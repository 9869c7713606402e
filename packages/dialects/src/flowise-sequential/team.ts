import type { FlowDocument, JsonObject } from "@weft/schema";
import type { ConvertedFlow } from "../agentflow-v2/index.ts";
import {
  type ClassicGraph,
  type ClassicNode,
  type ClassicScope,
  type Conversion,
  createScope,
  type Draft,
  drawBefore,
  drawModerations,
  drawNotes,
  drawOwnStores,
  type Exit,
  parsePromptText,
  reportLeft,
  reportUnread,
  toLiteral,
  toPromptValues,
} from "../flowise-classic/index.ts";
import { renderPrompt, toRounds, toStepModel, toStepTools } from "./ask.ts";
import { remembers } from "./memory.ts";
import { leftOf, nameInputs, titleOf } from "./sequence.ts";

type Worker = { node: ClassicNode; stepId: string; name: string; port: string };

type Team = { conversion: Conversion; supervisor: ClassicScope; workers: readonly Worker[] };

/** The last message of the workers, which is the team's answer. */
const answer = "answer";
const finish = "FINISH";

/**
 * A supervisor that says which worker does what next, until the work is done or it was asked too often. The last
 * worker's words are the answer, or the supervisor's words if no worker was needed.
 */
export function convertTeam(graph: ClassicGraph, node: ClassicNode, draft: Draft): ConvertedFlow {
  const workers = workersOf(graph, node, draft);
  const hasHistory = graph.source(node, "agentMemory") !== undefined;
  const conversion: Conversion = {
    graph,
    draft,
    values: new Map(),
    exits: new Map(),
    root: [],
    hasHistory,
    read: new Map(),
    state: { [answer]: "" },
    stores: new Map(),
  };
  const supervisor = createScope(conversion, node, draft.reserve(node.id));
  supervisor.ignore("inputModeration", ...nameInputs);
  if (workers.length === 0) {
    draft.refuse("worker-missing", "No worker is wired to the supervisor. Add one.");
    return { flow: noFlow, findings: draft.finish().findings };
  }
  drawTeam({ conversion, supervisor, workers });
  const stores = drawOwnStores(conversion);
  drawNotes(graph, draft);
  reportLeft(draft, leftOf(conversion, [node, ...workers.map((worker) => worker.node)]));
  reportUnread(conversion);
  return { ...draft.finish(), stores };
}

const noFlow: FlowDocument = { weft: 1, nodes: [], edges: [] };

/** Names that a model can tell apart. */
function workersOf(graph: ClassicGraph, supervisor: ClassicNode, draft: Draft): Worker[] {
  const names = new Set([finish]);
  return [...graph.nodes.values()]
    .filter((node) => node.name === "worker" && graph.source(node, "supervisor") === supervisor)
    .map((node, index) => {
      const title = titleOf(node);
      const name = names.has(title) ? `${title} ${index + 1}` : title;
      names.add(name);
      return { node, stepId: draft.reserve(node.id), name, port: String(index) };
    });
}

function drawTeam(team: Team): void {
  const { conversion, supervisor, workers } = team;
  const { draft, state, hasHistory } = conversion;
  const start = draft.reserve("start");
  remembers(supervisor);
  const config = { input: "chat", state, ephemeralMemory: !hasHistory };
  conversion.root = [draft.add({ id: start, type: "start", label: "Start", config }, [])];
  drawModerations(conversion, [supervisor.node]);
  drawBefore(conversion, [supervisor.node, ...workers.map(({ node }) => node)]);
  const chosen = drawSupervisor(team);
  const done = workers.map((worker) => drawWorker(team, worker, { ...chosen, port: worker.port }));
  const ended = drawLoop(team, done);
  drawAnswer(team, { ended, finished: { ...chosen, port: "done" }, idle: { ...chosen, port: "else" } });
}

const whoIsNext =
  "Given the conversation above: who acts next, and what exactly is this worker to do? Choose one of the workers, or " +
  `${finish} when the work is done.`;

/** Asks who is next. Nothing of it joins the conversation. */
function drawSupervisor({ conversion, supervisor, workers }: Team): Exit {
  const { settings, stepId, node } = supervisor;
  const names = workers.map(({ name }) => name);
  const members = toLiteral(names.join(", "));
  const prompt = renderPrompt(
    supervisor,
    parsePromptText(settings.text("supervisorPrompt")),
    new Map([["team_members", members]]),
  );
  const structuredOutput = [
    { name: "reasoning", type: "string", description: "Why" },
    { name: "next", type: "enum", enumValues: [...names, finish], description: "Who acts next" },
    { name: "instructions", type: "string", description: "What this worker is to do, or what to tell the user" },
  ];
  const messages = [
    { role: "system", content: prompt },
    { role: "user", content: `${whoIsNext} ${members}, ${finish}.` },
  ];
  const config = {
    model: toStepModel(supervisor, supervisor),
    messages: messages.filter(({ content }) => content.trim() !== ""),
    prompt: "",
    memory: { type: "all", opening: true },
    structuredOutput,
    responseRole: "none",
  };
  const asked = conversion.draft.add({ id: stepId, type: "llm", label: titleOf(node), config }, conversion.root);
  return drawChoice({ conversion, supervisor, workers }, asked);
}

function drawChoice({ conversion, supervisor, workers }: Team, asked: Exit): Exit {
  const { draft } = conversion;
  const branches = workers.map(({ name, port }) => ({
    id: port,
    title: name.slice(0, 500),
    conditions: [{ type: "string", left: `{{ ${asked.id}.output.next }}`, operation: "equal", right: name }],
  }));
  const hasAnswer = { type: "string", left: `{{ $flow.state.${answer} }}`, operation: "is-not-empty", right: "" };
  const config = { branches: [...branches, { id: "done", title: "Done", conditions: [hasAnswer] }] };
  const id = draft.reserve(`${supervisor.stepId}_next`);
  return draft.add({ id, type: "condition", label: "Who is next?", config }, [asked]);
}

/** Its answer joins the conversation as the user's words. */
function drawWorker({ conversion, supervisor, workers }: Team, { node, stepId, name }: Worker, from: Exit): Exit {
  const scope = createScope(conversion, node, stepId);
  scope.ignore("supervisor", ...nameInputs);
  const prompt = renderPrompt(scope, parsePromptText(scope.settings.text("workerPrompt")), toPromptValues(scope));
  const others = workers.map((worker) => worker.name).filter((other) => other !== name);
  const config = {
    model: toStepModel(scope, createScope(conversion, supervisor.node, stepId)),
    messages: [
      { role: "system", content: [prompt, teamwork(others)].filter((text) => text.trim() !== "").join("\n\n") },
    ],
    prompt: `{{ ${supervisor.stepId}.output.instructions }}`,
    memory: { type: "all", opening: true },
    ...toStepTools([scope]),
    maxRounds: toRounds(scope),
    responseRole: "user",
    updateState: [{ key: answer, value: "{{ output.content }}" }],
  };
  return conversion.draft.add({ id: stepId, type: "agent", label: name, config }, [from]);
}

function teamwork(others: readonly string[]): string {
  const alone = "Work on your own with the tools that you have, and do not ask anybody for clarification.";
  if (others.length === 0) return alone;
  return `${alone} You work in a team; the others have their own part: ${toLiteral(others.join(", "))}.`;
}

/** Every round is a question to the supervisor and the work of one worker. */
function drawLoop({ conversion, supervisor }: Team, from: readonly Exit[]): Exit {
  const limit = supervisor.settings.number("recursionLimit") ?? 100;
  const times = Math.min(1_000, Math.max(1, Math.floor(limit / 2)));
  const id = conversion.draft.reserve(`${supervisor.stepId}_again`);
  const config: JsonObject = { target: supervisor.stepId, times };
  return conversion.draft.add({ id, type: "loop", label: "Back to the supervisor", config }, from);
}

function drawAnswer(
  { conversion, supervisor }: Team,
  { ended, finished, idle }: { ended: Exit; finished: Exit; idle: Exit },
): void {
  const { draft } = conversion;
  const { stepId } = supervisor;
  const idleReply = draft.reserve(`${stepId}_says`);
  const message = `{{ ${stepId}.output.instructions }}`;
  draft.add({ id: idleReply, type: "direct-reply", label: "No worker needed", config: { message } }, [idle]);
  const ends = [finished, ended];
  const id = draft.reserve(`${stepId}_answer`);
  if (!supervisor.settings.flag("summarization")) {
    const said = { message: `{{ $flow.state.${answer} }}` };
    draft.add({ id, type: "direct-reply", label: "Answer", config: said }, ends);
    return;
  }
  const config = {
    model: toStepModel(createScope(conversion, supervisor.node, id), supervisor),
    messages: [{ role: "user", content: "Sum up what the team worked out, as the answer to the user." }],
    prompt: "",
    memory: { type: "all", opening: true },
  };
  draft.add({ id, type: "llm", label: "Summary", config }, ends);
}
