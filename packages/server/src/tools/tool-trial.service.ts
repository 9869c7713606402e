import { readArguments } from "@weft/engine/agent";
import type { Sandbox } from "@weft/engine/ports/sandbox";
import { createCustomTool } from "@weft/integrations";
import { type ToolTrial, type ToolTrialRequest, WeftError } from "@weft/schema";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";
import type { ToolService } from "./tool.service.ts";

/** Calls stored tools for their authors. */
export type ToolTrialService = {
  /**
   * Calls a tool as an agent would, with the request's schema and code replacing the stored ones if given.
   * Failures of the code are an answer, and so is a signal that ends it. Rejects with `not-found`, with
   * `validation-failed` for an input that the schema rejects, and with `tool-invalid` for an invalid schema.
   */
  call(id: string, request: ToolTrialRequest, signal: AbortSignal): Promise<ToolTrial>;
};

/** Longest part of a result that a model may read. */
const maxCharacters = 20_000;

export function createToolTrialService(
  tools: ToolService,
  { http }: Context,
  { sandboxes, sql }: Needs<"sandboxes" | "sql">,
): ToolTrialService {
  return {
    async call(id, { input, vars, schema, func, timeoutMs }, signal) {
      const stored = await tools.get(id);
      const tool = createCustomTool({
        ...stored,
        ...(schema !== undefined && { schema }),
        ...(func !== undefined && { func }),
      });
      const read = readArguments(JSON.stringify(input), tool.parameters);
      if (!read.ok) {
        throw new WeftError("validation-failed", {
          message: `The input cannot be used. ${read.message}`,
          errors: [{ path: "input", message: read.message }],
        });
      }
      const share = { name: id, isAnonymous: false };
      const ownSandbox: Sandbox = { run: (call) => sandboxes.ofTrials.run({ share, ...call }) };
      const context = { signal, http, sql, sandbox: ownSandbox, vars, flow: noRun, idempotencyKey: `trial-${id}` };
      const outcome = await tool.call(read.args, context, { timeoutMs, maxCharacters }).catch((cause: unknown) => {
        if (signal.aborted) return cancelled;
        throw cause;
      });
      const { content: output, isError, logs, durationMs } = outcome;
      return { output, isError, logs, durationMs };
    },
  };
}

const cancelled = { content: "The trial was cancelled.", isError: true, logs: [], durationMs: 0 };

/** `$flow` outside a run. */
const noRun = { chatflowId: "", chatId: "", sessionId: "", executionId: "", input: "", state: {} };
