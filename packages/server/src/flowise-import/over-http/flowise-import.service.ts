import { join } from "node:path";
import { type FlowiseSource, FlowiseSourceError } from "@weft/flowise-source";
import { type FlowiseImport, type FlowiseImportRun, type FlowiseImportStart, WeftError } from "@weft/schema";
import { createPause } from "@weft/workers";
import type { Context } from "../../context.ts";
import type { Confirmer } from "../../credentials/index.ts";
import type { Needs } from "../../feature.ts";
import { FlowiseImportError } from "../import-flowise.ts";
import { conflict, createFlowiseUploads, type UploadPart } from "./flowise-upload.ts";

/**
 * Imports a file of Flowise that was uploaded to this process. Invariants:
 * - One dry run or import goes on at a time, beside requests and not in their way.
 * - The file and its key are gone after an import, when they are removed, and when the server starts and stops. The key
 *   is in memory alone, and never in an answer.
 */
export type FlowiseImportService = ReturnType<typeof createFlowiseImportService>;

export function createFlowiseImportService(
  { config: { dataDir }, logger }: Context,
  { flowiseImport: importFlowise }: Needs<"flowiseImport">,
) {
  const uploads = createFlowiseUploads(join(dataDir, "flowise-import"));
  let key: string | undefined;
  let run: FlowiseImportRun | undefined;
  let job = Promise.resolve();
  let stopping = new AbortController();

  function state(): FlowiseImport {
    const file = uploads.held();
    return {
      file: file === undefined ? null : { ...file, workspaces: [...file.workspaces] },
      hasKey: key !== undefined,
      run: run ?? null,
    };
  }

  async function forget(): Promise<void> {
    key = undefined;
    await uploads.remove();
  }

  async function cancel(): Promise<void> {
    stopping.abort();
    await job;
    await forget();
    run = undefined;
  }

  function assertIdle(): void {
    if (run?.state === "running") throw conflict("An import is running. Wait for it to end, or cancel it.");
  }

  async function read(start: Started, signal: AbortSignal) {
    const { dryRun, openFlows, workspace, confirmDestinations, by } = start;
    const source = await uploads.openSource(key);
    try {
      if (key !== undefined) await assertKeyOpens(source);
      return await importFlowise({
        ...{ source: inTurns(source, signal), dryRun, openFlows, workspace },
        destinationsBy: confirmDestinations ? by : undefined,
        progress(table, done, total) {
          run = { state: "running", ...toChosen(start), progress: { table, done, total } };
        },
      });
    } finally {
      await source.close();
    }
  }

  async function work(start: Started, signal: AbortSignal): Promise<void> {
    const { dryRun } = start;
    try {
      const report = await read(start, signal);
      if (!dryRun) await forget();
      run = { state: "done", ...toChosen(start), report };
    } catch (cause) {
      const error = uploads.conceal(toSentence(cause, { dryRun }));
      if (!isExpected(cause) && !signal.aborted) logger.error("flowise-import-failed", { cause });
      run = { state: "failed", ...toChosen(start), error };
    }
  }

  return {
    state,
    /** Rejects with `conflict`, `body-too-large` and `validation-failed`. */
    async receive(part: UploadPart): Promise<FlowiseImport> {
      assertIdle();
      if (part.offset === 0) {
        key = undefined;
        run = undefined;
      }
      await uploads.receive(part);
      return state();
    },
    /** Starts a dry run or an import. Throws `conflict`, and `validation-failed` for an unknown workspace. */
    begin(start: Started): FlowiseImport {
      assertIdle();
      assertWorkspace(uploads.complete().workspaces, start.workspace);
      if (start.key !== undefined) key = start.key.trim() || undefined;
      stopping = new AbortController();
      run = { state: "running", ...toChosen(start), progress: null };
      job = work(start, stopping.signal);
      return state();
    },
    /** Ends the current run, after the rows that it is writing, and removes the file and its key. */
    async cancel(): Promise<FlowiseImport> {
      await cancel();
      return state();
    },
    start: uploads.remove,
    stop: cancel,
  };
}

/** The requested import, and who requested it. */
type Started = FlowiseImportStart & { by: Confirmer };

function toChosen({ dryRun, openFlows, confirmDestinations, workspace }: FlowiseImportStart) {
  return { dryRun, openFlows, confirmDestinations, workspace: workspace ?? null };
}

function assertWorkspace(known: readonly string[], wanted: string | undefined): void {
  if (wanted === undefined || known.includes(wanted)) return;
  const message =
    known.length === 0
      ? "The file has no workspaces. Leave the workspace out."
      : `The file has no workspace called ${wanted}. There are: ${known.join(", ")}.`;
  throw new WeftError("validation-failed", { message, errors: [{ path: "workspace", message }] });
}

/** Credentials imported without their values stay so in another import: a key that opens none is a mistake. */
async function assertKeyOpens(source: FlowiseSource): Promise<void> {
  let hasWrong = false;
  for await (const rows of source.rows("credential")) {
    for (const { encryptedData } of rows) {
      const opened = source.unseal(encryptedData ?? "");
      if ("fields" in opened) return;
      hasWrong ||= opened.reason === "wrong-key";
    }
  }
  if (!hasWrong) return;
  throw new FlowiseImportError(
    "Nothing was imported: the key opens none of the credentials. Give the text of the encryption.key that belongs to this file, or no key, so that credentials come without their values.",
  );
}

/** Reading is synchronous: requests get their turn between pages. Rejects when the signal is aborted. */
function inTurns(source: FlowiseSource, signal: AbortSignal): FlowiseSource {
  const pause = createPause();
  return {
    ...source,
    async *rows(table, options) {
      for await (const rows of source.rows(table, options)) {
        signal.throwIfAborted();
        yield rows;
        await pause();
      }
    },
  };
}

function isExpected(cause: unknown): cause is Error {
  return cause instanceof FlowiseImportError || cause instanceof FlowiseSourceError || cause instanceof WeftError;
}

function toSentence(cause: unknown, { dryRun }: { dryRun: boolean }): string {
  const reason = isExpected(cause) ? cause.message : "An internal error occurred, which is in the server's log.";
  if (dryRun || cause instanceof FlowiseImportError) return reason;
  return `${reason} What was imported before stays. Import again to add the rest.`;
}
