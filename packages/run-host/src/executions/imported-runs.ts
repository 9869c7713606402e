import type { Tables, WritableDatabase } from "@weft/database";
import { type ExecutionStep, isJsonObject, type Json, type JsonObject, parseJson, type Usage } from "@weft/schema";
import type { Kysely } from "kysely";
import { emptySummary, summaryText } from "../journal/index.ts";
import type { RunRow } from "../run-tables.ts";

/** Stored in place of an agent's version for runs of another server. They have ended, and cannot continue. */
export const importedVersionId = "imported";

/** A run of another server, stored for viewing only. */
export type ImportedRun = Pick<
  RunRow,
  "id" | "agentId" | "sessionId" | "createdDate" | "updatedDate" | "stoppedDate"
> & {
  status: "completed" | "failed" | "cancelled";
  /** Its error, or the reason why it ended here. */
  error?: { code: string; message: string } | undefined;
  /** The executed steps, as `toImportedSteps` reads them. */
  executionData: readonly JsonObject[];
};

/** Adds runs that ended elsewhere, in one write. Resolves with the number of new ones. */
export async function addImportedRuns(database: WritableDatabase, runs: readonly ImportedRun[]): Promise<number> {
  return database.write(
    async (tx) => {
      let added = 0;
      for (const run of runs) added += (await insertRun(tx, run)) ? 1 : 0;
      return added;
    },
    { isolation: "read-committed" },
  );
}

async function insertRun(tx: Kysely<Tables>, run: ImportedRun): Promise<boolean> {
  const inserted = await tx
    .insertInto("runs")
    .values(toRow(run))
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (inserted === undefined) return false;
  const { id: runId, executionData } = run;
  const flowState = JSON.stringify(stateOf(executionData));
  await tx
    .insertInto("importedRuns")
    .values({ runId, flowState, executionData: JSON.stringify(executionData) })
    .execute();
  return true;
}

const idle = {
  ...{ lastSeq: 0, leaseEpoch: 0, leaseOwner: null, leaseUntil: 0, cancelRequested: 0, turnOrder: null },
  ...{ takeOvers: 0, takeOverSeq: 0, dueAt: null, totalTokens: null, costNanos: null },
};

function toRow({ executionData, error, status, ...run }: ImportedRun): RunRow {
  const question = questionOf(executionData);
  const text = status === "completed" ? textOf(outputOf(executionData.at(-1)).content) : null;
  const failure = error === undefined ? null : { ...error, retryable: false };
  return {
    ...idle,
    ...run,
    status,
    agentVersionId: importedVersionId,
    // It has no chat, only a session.
    chatId: run.sessionId,
    chatType: "EXTERNAL",
    owner: "",
    errorCode: status === "failed" ? (error?.code ?? null) : null,
    durationMs: run.stoppedDate === null ? null : Date.parse(run.stoppedDate) - Date.parse(run.createdDate),
    summary: summaryText({
      ...emptySummary,
      question: cut(question),
      text: text === null ? null : cut(text),
      error: failure,
    }),
  };
}

const maxTextLength = 500;

function cut(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

/** The input of the first step. */
function questionOf([first]: readonly JsonObject[]): string {
  const data = isJsonObject(first?.data) ? first.data : {};
  const input = isJsonObject(data.input) ? data.input : {};
  return textOf(input.question) || textOf(outputOf(first).question);
}

/** As the last step with a state left it. */
function stateOf(steps: readonly JsonObject[]): JsonObject {
  const states = steps.flatMap(({ data }) => (isJsonObject(data) && isJsonObject(data.state) ? [data.state] : []));
  return states.at(-1) ?? {};
}

/** The stored steps of an imported run, as JSON text. */
export async function findImportedData(read: Kysely<Tables>, runId: string): Promise<string> {
  const found = await read
    .selectFrom("importedRuns")
    .select("executionData")
    .where("runId", "=", runId)
    .executeTakeFirst();
  return found?.executionData ?? "[]";
}

const noUsage: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
const statuses = ["INPROGRESS", "FINISHED", "STOPPED", "ERROR", "TERMINATED"] as const;

/** The steps of an imported run, as far as the stored data shows them. */
export function toImportedSteps(executionData: string, createdDate: RunRow["createdDate"]): ExecutionStep[] {
  const listed = parseJson(executionData);
  return (Array.isArray(listed) ? listed : []).filter(isJsonObject).map((step, index) => {
    const data = isJsonObject(step.data) ? step.data : {};
    const nodeId = textOf(step.nodeId) || `step_${index}`;
    const error = textOf(data.error);
    return {
      nodeKey: `${nodeId}#${index}`,
      nodeId,
      nodeLabel: textOf(step.nodeLabel) || nodeId,
      type: textOf(data.name) || "unknown",
      status: statuses.find((known) => known === step.status) ?? "FINISHED",
      attempt: 1,
      startedAt: createdDate,
      finishedAt: null,
      durationMs: null,
      input: data.input ?? null,
      output: data.output ?? null,
      error: error === "" ? null : { code: "flow-node-failed", message: error, retryable: false },
      usage: noUsage,
      costDollars: null,
      waits: [],
      effects: [],
    };
  });
}

function outputOf(step: JsonObject | undefined): JsonObject {
  const data = isJsonObject(step?.data) ? step.data : {};
  return isJsonObject(data.output) ? data.output : {};
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
