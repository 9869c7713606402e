import type { FlowiseRow } from "@weft/flowise-source";
import { addImportedRuns, type ImportedRun } from "@weft/run-host";
import { isJsonObject, type JsonObject, parseJson } from "@weft/schema";
import { datesOf, freshPagesOf, type ImportContext } from "./copy-rows.ts";

/** Imports executions for viewing: none of these runs continues. */
export async function importExecutions(context: ImportContext, knownIds: ReadonlySet<string>): Promise<void> {
  for await (const { rows, tally } of freshPagesOf(context, "execution", "runs")) {
    const runs = rows.flatMap((row) => {
      if (knownIds.has(row.agentflowId ?? "")) return [toRun(row)];
      tally.left("Its agent does not exist any more.", row.id);
      return [];
    });
    for (const some of portionsOf(runs)) {
      const written = context.dryRun ? some.length : await addImportedRuns(context.database, some);
      tally.written(written);
      tally.there(some.length - written);
    }
  }
}

/** Runs written at once: each may hold whole conversations. */
const runsAtOnce = 100;

function* portionsOf(runs: readonly ImportedRun[]): Generator<readonly ImportedRun[]> {
  for (let start = 0; start < runs.length; start += runsAtOnce) yield runs.slice(start, start + runsAtOnce);
}

function toRun(row: FlowiseRow<"execution">): ImportedRun {
  const { createdDate, updatedDate } = datesOf(row);
  const executionData = parseJson(row.executionData ?? "[]");
  return {
    ...endOf(row.state),
    id: row.id,
    agentId: row.agentflowId ?? "",
    sessionId: row.sessionId ?? row.id,
    createdDate,
    updatedDate,
    stoppedDate: row.stoppedDate ?? updatedDate,
    executionData: Array.isArray(executionData)
      ? executionData.filter((step): step is JsonObject => isJsonObject(step))
      : [],
  };
}

function endOf(state: string | null): Pick<ImportedRun, "status" | "error"> {
  switch (state) {
    case "FINISHED":
      return { status: "completed" };
    case "TERMINATED":
      return { status: "cancelled" };
    case "TIMEOUT":
      return { status: "failed", error: { code: "flow-timeout", message: "It took too long." } };
    case "STOPPED":
      return {
        status: "cancelled",
        error: failed("It was waiting for a person when it was imported, and cannot go on."),
      };
    case "INPROGRESS":
      return { status: "failed", error: failed("It was still running when it was imported, and cannot go on.") };
    default:
      return { status: "failed", error: failed("It failed before it was imported.") };
  }
}

function failed(message: string) {
  return { code: "flow-node-failed", message };
}
