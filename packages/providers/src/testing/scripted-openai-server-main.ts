import { parseArgs } from "node:util";
import type { ChatCompletionRequest, Script, ScriptStep } from "./script-step.ts";
import { createScriptedOpenAiServer } from "./scripted-openai-server.ts";

/**
 * The scripted server as a process of its own, for benchmarks:
 * `node scripted-openai-server-main.ts [--port N] [--delay-ms N] [--text TEXT] [--tool-call JSON_ARGUMENTS]`.
 * Prints `{"url":"http://127.0.0.1:PORT/v1"}` and serves until SIGTERM or SIGINT.
 * With `--tool-call` the first turn of a conversation calls the first offered tool, later ones answer with the text.
 */
const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    "delay-ms": { type: "string", default: "0" },
    text: { type: "string", default: "Hello from the scripted model." },
    "tool-call": { type: "string" },
  },
});

const server = await createScriptedOpenAiServer({
  port: Number(values.port),
  record: false,
  script: toScript(values.text, values["tool-call"], Number(values["delay-ms"])),
});
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void server.close());

function toScript(text: string, toolArguments: string | undefined, delayMs: number): Script {
  const answer: ScriptStep = { text, delayMs };
  if (toolArguments === undefined) return () => answer;
  const calls = new Map<string, ScriptStep>();
  return (request) => {
    const name = request.tools?.[0]?.function.name;
    if (name === undefined || hasToolResult(request)) return answer;
    const known = calls.get(name);
    if (known !== undefined) return known;
    const call: ScriptStep = { toolCalls: [{ name, arguments: toolArguments }], delayMs };
    calls.set(name, call);
    return call;
  };
}

/** Whether this turn's tool was called: the conversation ends in a tool's result. */
function hasToolResult(request: ChatCompletionRequest): boolean {
  return request.messages.at(-1)?.role === "tool";
}
