import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { RunFailure } from "@weft/engine";
import type { Clock, IdSource } from "@weft/engine/ports/clock";
import type { RunEffect } from "@weft/engine/ports/effect-recorder";
import type { FlowNode, Json, JsonObject } from "@weft/schema";
import { type Config, readCommandSettings, readConfig, systemClock } from "@weft/server";
import { parse as parseYaml, YAMLParseError } from "yaml";
import { openWorkbench, type Workbench } from "../open-workbench.ts";
import { FileError, type FlowFile, parseJson, readFlowFile, readText } from "../read-flow-file.ts";
import { checkTurn, type Problem } from "./check-turn.ts";
import { type FlowTestCase, type FlowTestFile, parseFlowTests, type TurnTest } from "./flow-test-file.ts";
import { replayResolvers } from "./recorded-resolvers.ts";
import { createRecordingTape } from "./recording-tape.ts";
import { noRecordings, parseRecordings, type RecordedEffect, type Recordings, toRecordingsText } from "./recordings.ts";
import type { Script } from "./scripted-answer.ts";
import { createScriptedTape } from "./scripted-tape.ts";
import {
  type ConfigOf,
  createRedaction,
  effectKeyAt,
  isOwnCode,
  nowhere,
  type Position,
  requestHash,
  type Tape,
} from "./tape.ts";

/** A case passed when it has no problems. */
export type CaseReport = { name: string; problems: Problem[] };

export type FlowTestReport = { file: string; name: string; cases: CaseReport[] };

/**
 * Runs the cases of a test file one after the other, without network, from what was recorded. With `record`, the
 * configuration of a server, the real models and tools answer, and their answers replace the recordings, also of cases
 * that fail. A file whose cases bring their answers is never recorded. Rejects with `FileError` when a file cannot be used.
 */
export async function runFlowTests(file: string, options: { record?: Config } = {}): Promise<FlowTestReport> {
  const tests = await loadFlowTests(file);
  const { config, tape, finish } = await prepare(tests, options.record);
  const time = createCaseTime(tests.cases[0] ?? { nowMs: 0 });
  const { clock, ids } = time;
  const workbench = await openWorkbench({ config, clock, ids, hooks: tape });
  try {
    for (const agent of options.record ? tests.agents : []) await workbench.addAgent(agent);
    const agentId = await workbench.addAgent({ name: tests.name, flowData: takingMessages(tests.flow) });
    const cases = checkFindings(tests);
    for (const flowCase of tests.cases) {
      time.begin(flowCase);
      const talk = createTalk({ workbench, tape, agentId, caseName: flowCase.name, chatId: ids.uuid() });
      cases.push({ name: flowCase.name, problems: await runCase(flowCase, talk, tape) });
    }
    await finish();
    return { file, name: tests.name, cases };
  } finally {
    await workbench.close();
  }
}

type Prepared = { config: Config; tape: Tape; finish(): Promise<void> };

/** A replay ignores the machine's environment. */
async function prepare(tests: FlowTests, record: Config | undefined): Promise<Prepared> {
  const configOf = (nodeId: string) => tests.flow.compiled.flow.nodes.find(({ id }) => id === nodeId)?.config;
  if (tests.isScripted) {
    const tape = createScriptedTape({ configOf, scriptOf: (position) => scriptOf(tests, position) });
    return { config: readConfig({ EVENT_API: "false" }), tape, finish: async () => undefined };
  }
  if (record) {
    const recordings = noRecordings();
    const tape = createRecordingTape({ recordings, configOf, redact: createRedaction(await secretsOf(record)) });
    const finish = () => writeFile(tests.recordingsPath, toRecordingsText(recordings));
    return { config: record, tape, finish };
  }
  const text = await readRecordings(tests);
  const recordings = text === undefined ? noRecordings() : parseRecordings(tests.recordingsPath, text);
  const tape = createReplayingTape({ recordings, configOf });
  return { config: readConfig({ EVENT_API: "false" }), tape, finish: async () => undefined };
}

function scriptOf({ cases }: FlowTests, { caseName, turn }: Pick<Position, "caseName" | "turn">): Script {
  return cases.find(({ name }) => name === caseName)?.turns[turn - 1]?.answers ?? {};
}

/** The flow as it is stored for its tests: what a webhook or a schedule begins gets messages, as its question would be. */
function takingMessages({ text, compiled }: FlowFile): string {
  const isTriggered = ({ type, config }: FlowNode) =>
    type === "start" && (config.input === "webhook" || config.input === "schedule");
  const { nodes, edges } = compiled.flow;
  if (!nodes.some(isTriggered)) return text;
  const asked = nodes.map((node) =>
    isTriggered(node) ? { ...node, config: { ...node.config, input: "chat" } } : node,
  );
  return JSON.stringify({ weft: 1, nodes: asked, edges });
}

/** A file that names findings has a case for them. */
function checkFindings({ findings, flow }: FlowTests): CaseReport[] {
  if (!findings) return [];
  const actual = flow.compiled.findings.map(({ code }) => code).sort();
  const expected = [...findings].sort();
  const isSame = actual.length === expected.length && actual.every((code, index) => code === expected[index]);
  return [{ name: "findings", problems: isSame ? [] : [{ what: "findings", expected, actual }] }];
}

type Talk = (turn: TurnTest, number: number) => Promise<Problem[]>;

function createTalk(options: {
  workbench: Workbench;
  tape: Tape;
  agentId: string;
  caseName: string;
  chatId: string;
}): Talk {
  const { workbench, tape, agentId, caseName, chatId } = options;
  return async ({ expect, answers: _answers, ...message }, number) => {
    tape.begin({ caseName, turn: number, message: message as Json });
    return checkTurn(await workbench.ask(agentId, { ...toBody(message), chatId }), expect);
  };
}

/** Ends with the first unexpected turn. */
async function runCase({ turns }: FlowTestCase, talk: Talk, tape: Tape): Promise<Problem[]> {
  for (const [index, turn] of turns.entries()) {
    const problems = await talk(turn, index + 1);
    if (problems.length === 0) continue;
    const where = turns.length === 1 ? "" : `turn ${index + 1}, `;
    return [...tapeProblems(tape), ...problems.map((problem) => ({ ...problem, what: where + problem.what }))];
  }
  return tapeProblems(tape);
}

function tapeProblems(tape: Tape): Problem[] {
  return tape.end().map((what) => ({ what }));
}

function toBody({ question, form, human, vars, history }: Omit<TurnTest, "expect" | "answers">): JsonObject {
  const given = { question, form, humanInput: human, history, overrideConfig: vars && { vars } };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** Everything of the configuration that no file may hold. */
async function secretsOf(config: Config): Promise<string[]> {
  const commands = await readCommandSettings(config.mcpServers.reveal());
  return [
    ...Object.values(config.accounts).map(({ apiKey }) => apiKey.reveal()),
    ...Array.from(config.runtimeVariables.values(), (secret) => secret.reveal()),
    ...Array.from(commands.values(), ({ env }) => Object.values(env)).flat(),
  ];
}

/** Time and ids that depend on nothing but the case that runs. */
type CaseTime = {
  clock: Clock;
  ids: IdSource;
  /** Before the first case, time is that of the first one. */
  begin(flowCase: { name: string; nowMs: number }): void;
};

/** Time stands still during a case; waits are real. Ids ascend, so that what has one date keeps its order. */
function createCaseTime(first: { nowMs: number }): CaseTime {
  let nowMs = first.nowMs;
  let seed = seedOf("");
  let count = 0;
  return {
    clock: { now: () => nowMs, elapsed: systemClock.elapsed, sleep: systemClock.sleep },
    ids: {
      uuid() {
        count += 1;
        return toUuid(Math.max(0, nowMs), count, seed);
      },
    },
    begin(flowCase) {
      ({ nowMs } = flowCase);
      seed = seedOf(flowCase.name);
      count = 0;
    },
  };
}

function seedOf(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 12);
}

/** A UUID of version 7 (RFC 9562) whose random bits are a count, then the seed. */
function toUuid(nowMs: number, count: number, seed: string): string {
  const time = nowMs.toString(16).padStart(12, "0");
  const counted = count.toString(16).padStart(6, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counted.slice(0, 3)}-8${counted.slice(3)}-${seed}`;
}

/** The tests of a file and everything that it names. */
type FlowTests = Pick<FlowTestFile, "cases" | "findings" | "isScripted"> & {
  /** The test file's name without its ending. */
  name: string;
  flow: FlowFile;
  agents: readonly { id: string; name: string; flowData: string }[];
  recordingsPath: string;
};

const ending = /\.test\.(ya?ml|json)$/;

/** Reads a test file and its flows. Rejects with `FileError` for one that cannot be used. */
async function loadFlowTests(path: string): Promise<FlowTests> {
  if (!ending.test(path)) {
    throw new FileError(`${path} is no test file. Its name ends in .test.yaml, .test.yml or .test.json.`);
  }
  const text = await readText(path);
  const parsed = parseFlowTests(path.endsWith(".json") ? parseJson(path, text) : readYaml(path, text));
  if (!parsed.ok) throw new FileError(parsed.mistakes.map((mistake) => `${path}: ${mistake}`).join("\n"));
  const { flow, agents, cases, findings, isScripted } = parsed.file;
  const name = basename(path).replace(ending, "");
  const beside = (file: string) => join(dirname(path), file);
  return {
    name,
    cases,
    findings,
    isScripted,
    flow: await readFlowFile(beside(flow ?? `${name}.flow.json`)),
    agents: await Promise.all(
      Object.entries(agents).map(async ([id, file]) => {
        return { id, name: file, flowData: (await readFlowFile(beside(file))).text };
      }),
    ),
    recordingsPath: beside(`${name}.recordings.json`),
  };
}

/** The text of the recordings, undefined if nothing was recorded yet. */
async function readRecordings({ recordingsPath }: FlowTests): Promise<string | undefined> {
  return existsSync(recordingsPath) ? readText(recordingsPath) : undefined;
}

function readYaml(path: string, text: string): unknown {
  try {
    return parseYaml(text);
  } catch (cause) {
    if (!(cause instanceof YAMLParseError)) throw cause;
    throw new FileError(`${path} is not YAML: ${cause.message.split("\n", 1)[0]?.replace(/:$/, "")}.`);
  }
}

type ReplayingOptions = { recordings: Recordings; configOf: ConfigOf };

const howToMend = "Run with --record.";
const shownKeys = 5;

/** Answers every effect from the recordings. A missing one fails the case, however its flow handles that. */
function createReplayingTape({ recordings, configOf }: ReplayingOptions): Tape {
  let position: Position = nowhere;
  let misses = new Set<string>();
  let used = new Set<string>();

  function fail(message: string): never {
    misses.add(message);
    throw new RunFailure({ code: "recording-missing", message, retryable: false }, { isFinal: true });
  }

  function recordingOf(effect: RunEffect): RecordedEffect["outcome"] {
    const key = effectKeyAt(position, effect);
    const recorded = recordings.cases[position.caseName]?.[key];
    if (!recorded) return fail(`There is no recording of ${effect.category} ${effect.name} (${key}). ${howToMend}`);
    used.add(key);
    if (recorded.request === requestHash(position, effect, configOf)) return recorded.outcome;
    return fail(`The request to ${effect.name} (${key}) is not the one that was recorded. ${howToMend}`);
  }

  function unusedProblem(): string[] {
    const recorded = Object.keys(recordings.cases[position.caseName] ?? {});
    const unused = recorded.filter((key) => !used.has(key) && !isUnfinished(recordings, position, key));
    if (unused.length === 0) return [];
    const names = unused.slice(0, shownKeys).join(", ");
    return [`Recordings were not asked for: ${names}${unused.length > shownKeys ? " …" : ""}. ${howToMend}`];
  }

  return {
    begin(next) {
      if (next.caseName !== position.caseName) [misses, used] = [new Set(), new Set()];
      position = next;
    },
    // What follows a miss is not reached: that it is unused says nothing.
    end: () => (misses.size > 0 ? [...misses] : unusedProblem()),
    recorder: { perform: (effect, make) => (isOwnCode(effect) ? make() : play(effect, recordingOf)) },
    wrapResolvers: () => replayResolvers(recordings, (what) => fail(`There is no recording of ${what}. ${howToMend}`)),
  };
}

async function play(effect: RunEffect, recordingOf: (effect: RunEffect) => RecordedEffect["outcome"]): Promise<Json> {
  const outcome = recordingOf(effect);
  if ("value" in outcome) return structuredClone(outcome.value);
  if ("error" in outcome) throw new RunFailure(outcome.error);
  if (!effect.signal.aborted) await once(effect.signal, "abort");
  throw effect.signal.reason;
}

function isUnfinished({ cases }: Recordings, { caseName }: Position, key: string): boolean {
  const outcome = cases[caseName]?.[key]?.outcome;
  return outcome !== undefined && "unfinished" in outcome;
}
