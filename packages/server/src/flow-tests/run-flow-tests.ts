import { writeFile } from "node:fs/promises";
import type { Json, JsonObject } from "@weft/schema";
import { type Config, readConfig } from "../config.ts";
import { openWorkbench, type Workbench } from "../workbench/open-workbench.ts";
import { createCaseTime } from "./case-time.ts";
import { checkTurn, type Problem } from "./check-turn.ts";
import type { FlowTestCase, TurnTest } from "./flow-test-file.ts";
import { type FlowTests, loadFlowTests, readRecordings } from "./load-flow-tests.ts";
import { createRecordingTape } from "./recording-tape.ts";
import { noRecordings, parseRecordings, toRecordingsText } from "./recordings.ts";
import { createRedaction } from "./redact.ts";
import { createReplayingTape } from "./replaying-tape.ts";
import { secretsOf } from "./secrets-of.ts";
import type { Tape } from "./tape.ts";

/** A case passed when it has no problems. */
export type CaseReport = { name: string; problems: Problem[] };

export type FlowTestReport = { file: string; name: string; cases: CaseReport[] };

/**
 * Runs the cases of a test file one after the other, without network, from what was recorded. With `record`, the
 * configuration of a server, the real models and tools answer, and their answers replace the recordings, also of cases
 * that fail. Rejects with `FileError` when a file cannot be used.
 */
export async function runFlowTests(file: string, options: { record?: Config } = {}): Promise<FlowTestReport> {
  const tests = await loadFlowTests(file);
  const { config, tape, finish } = await prepare(tests, options.record);
  const time = createCaseTime(tests.cases[0] ?? { nowMs: 0 });
  const { clock, ids } = time;
  const workbench = await openWorkbench({ config, clock, ids, hooks: tape });
  try {
    for (const agent of options.record ? tests.agents : []) await workbench.addAgent(agent);
    const agentId = await workbench.addAgent({ name: tests.name, flowData: tests.flow.text });
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

/** A replay knows nothing of the machine's environment. */
async function prepare(tests: FlowTests, record: Config | undefined): Promise<Prepared> {
  const configOf = (nodeId: string) => tests.flow.compiled.flow.nodes.find(({ id }) => id === nodeId)?.config;
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
  return async ({ expect, ...message }, number) => {
    tape.begin({ caseName, turn: number, message: message as Json });
    return checkTurn(await workbench.ask(agentId, { ...toBody(message), chatId }), expect);
  };
}

/** Ends with the first turn that is not as expected. */
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

function toBody({ question, form, human, vars, history }: Omit<TurnTest, "expect">): JsonObject {
  const given = { question, form, humanInput: human, history, overrideConfig: vars && { vars } };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as JsonObject;
}
