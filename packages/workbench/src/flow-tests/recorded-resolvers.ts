import { RunFailure, toRunError } from "@weft/engine";
import type { ChatModel, ModelReference } from "@weft/engine/ports/chat-model";
import type { Tool, ToolReference } from "@weft/engine/ports/tool";
import type { RunError } from "@weft/schema";
import type { Resolvers } from "@weft/server";
import type { Recordings, ToolDefinition } from "./recordings.ts";
import { hashOf, type Redact, toCanonicalText } from "./tape.ts";

type Kept = Pick<Recordings, "models" | "tools">;

/** Records which models and tools exist, or why they do not. */
export function recordResolvers({ models, tools }: Resolvers, kept: Kept, redact: Redact): Resolvers {
  async function keeping<T>(resolved: Promise<T>, keep: (found: T | { error: RunError }) => void): Promise<T> {
    try {
      const found = await resolved;
      keep(found);
      return found;
    } catch (cause) {
      const error = toRunError(cause);
      if (error.code !== "internal") keep({ error: { ...error, message: redact(error.message) } });
      throw cause;
    }
  }

  return {
    models: {
      resolve: (reference) =>
        keeping(models.resolve(reference), (found) => {
          kept.models[modelKey(reference)] = "error" in found ? found : toModelFacts(found);
        }),
    },
    tools: {
      resolve: (reference, context) =>
        keeping(tools.resolve(reference, context), (found) => {
          kept.tools[toolsKey(reference)] = "error" in found ? found : { tools: found.map(toDefinition) };
        }),
    },
  };
}

/** Resolves the models and tools of the recording. Calls `miss` for others, which throws. */
export function replayResolvers({ models, tools }: Kept, miss: (what: string) => never): Resolvers {
  return {
    models: {
      async resolve(reference) {
        const found =
          models[modelKey(reference)] ?? miss(`the model ${reference.model || reference.provider || "by default"}`);
        if ("error" in found) throw new RunFailure(found.error);
        return { ...found, answer: async () => miss(`an answer of ${found.id}`) };
      },
    },
    tools: {
      async resolve(reference) {
        const found = tools[toolsKey(reference)] ?? miss(`the tools of ${reference.type} with these settings`);
        if ("error" in found) throw new RunFailure(found.error);
        // Nothing is changed, so no approval is requested.
        const effect = "read" as const;
        return found.tools.map(({ requiresApproval = false, ...tool }) => {
          return { ...tool, effect, requiresApproval, call: async () => miss(`a result of ${tool.name}`) };
        });
      },
    },
  };
}

function modelKey(reference: ModelReference): string {
  return toCanonicalText(reference);
}

function toolsKey(reference: ToolReference): string {
  return `${reference.type} ${hashOf(reference)}`;
}

function toModelFacts({ id, acceptsImages = false }: ChatModel) {
  return { id, acceptsImages };
}

function toDefinition({ name, description, parameters, kind, requiresApproval }: Tool): ToolDefinition {
  return { name, description, parameters, kind, ...(requiresApproval === undefined ? {} : { requiresApproval }) };
}
