import type { Sandbox, SandboxResult, ToolContext } from "@weft/engine";
import type { Json, JsonObject, JsonSchema } from "@weft/schema";
import { cutText } from "../answer-text.ts";
import { readParameters, type ToolParameters } from "./read-parameters.ts";
import type { StoredTool } from "./stored-tool.ts";

/** What one call of a custom tool may use. */
export type CustomToolLimits = { timeoutMs: number; maxCharacters: number };

/** What came of one call: what the model reads, and what the author wants to know. */
export type CustomToolOutcome = { content: string; isError: boolean; logs: string[]; durationMs: number };

export type CustomTool = {
  readonly parameters: JsonSchema;
  /** `args` were checked against `parameters`. Rejects with the signal's reason. */
  call(args: JsonObject, context: ToolContext, limits: CustomToolLimits): Promise<CustomToolOutcome>;
};

/**
 * A stored tool that can be called. Its code runs in the sandbox and sees each parameter as `$name` (null where it was
 * left out), `$vars`, `$flow` and a `fetch` that goes through the platform's client. A result that is no text is given
 * to the model as JSON. Throws `tool-invalid` when its schema makes no sense.
 */
export function createCustomTool({ name, schema, func }: StoredTool): CustomTool {
  const parameters = readParameters(name, schema);
  const code = func?.trim() ? func : undefined;
  return {
    parameters: parameters.schema,
    async call(args, context, { timeoutMs, maxCharacters }) {
      const started = performance.now();
      if (code === undefined) {
        return { content: `${name} has no code yet. ${howToMend}`, isError: true, logs: [], durationMs: 0 };
      }
      const globals = toGlobals(parameters, args, context);
      const { http, sandbox, signal } = context;
      const result = await sandbox.run({ code, globals, http, timeoutMs, signal });
      const content = result.ok
        ? toText(result.value)
        : await describeError(result.error, { name, code, sandbox, signal });
      const durationMs = Math.round(performance.now() - started);
      return { content: cutText(content, maxCharacters), isError: !result.ok, logs: result.logs, durationMs };
    },
  };
}

const howToMend = "Its author has to write the body of a JavaScript function, for example: return $a + $b;";

function toGlobals({ properties }: ToolParameters, args: JsonObject, { vars, flow }: ToolContext): JsonObject {
  const names = new Map(properties.map(({ argument, property }) => [argument, property]));
  const values = Object.entries(args).map(([argument, value]) => [`$${names.get(argument) ?? argument}`, value]);
  const absent = properties.map(({ property }) => [`$${property}`, null]);
  return { ...Object.fromEntries([...absent, ...values]), $vars: vars, $flow: flow };
}

function toText(value: Json): string {
  if (value === null) return "The tool is done and returned nothing.";
  return typeof value === "string" ? value : JSON.stringify(value);
}

type Failed = Extract<SandboxResult, { ok: false }>["error"];
type FailedCall = { name: string; code: string; sandbox: Sandbox; signal: AbortSignal };

async function describeError(error: Failed, call: FailedCall): Promise<string> {
  if (error.name === "SyntaxError" && !(await isFunctionBody(call))) {
    return `${call.name} describes what it does instead of doing it (${error.message}). ${howToMend}`;
  }
  return `${call.name} failed: ${error.name}: ${error.message}`;
}

/** Code that runs may raise a SyntaxError of its own, for example by JSON.parse. */
async function isFunctionBody({ code, sandbox, signal }: FailedCall): Promise<boolean> {
  const check = "new (async () => {}).constructor($code);";
  return (await sandbox.run({ code: check, globals: { $code: code }, signal })).ok;
}
