import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ChatCompletionRequest, RecordedRequest, Script, ScriptStep } from "./script-step.ts";
import { createStepSender } from "./send-step.ts";

export type * from "./script-step.ts";

export type ScriptedOpenAiServerOptions = {
  script: Script;
  /** Default 0: any free port of 127.0.0.1. */
  port?: number;
  /** Whether requests are kept in `requests`. Default true; benchmarks switch it off. */
  record?: boolean;
};

export type ScriptedOpenAiServer = {
  /** Base URL for a client, ending in `/v1`. */
  readonly url: string;
  /** Chat completion requests so far, oldest first. */
  readonly requests: RecordedRequest[];
  /** How many chat completion requests came, recorded or not. */
  readonly count: () => number;
  /** Ends open answers and frees the port. */
  close(): Promise<void>;
};

/**
 * A real HTTP server that speaks OpenAI's Chat Completions (JSON and event streams) and says what a script tells it.
 * Tests use it as the vendor; benchmarks as the model whose time is known: answers are rendered once per step.
 */
export async function createScriptedOpenAiServer(options: ScriptedOpenAiServerOptions): Promise<ScriptedOpenAiServer> {
  const requests: RecordedRequest[] = [];
  const sendStep = createStepSender();
  let count = 0;

  const complete = (request: IncomingMessage, response: ServerResponse, text: string) => {
    const body = parseRequest(text);
    if (body === undefined) return sendStep({ status: 400, body: toError("The body is not JSON.") }, response, false);
    if (options.record !== false) requests.push({ headers: request.headers as Record<string, string>, body });
    const step = nextStep(options.script, body, count);
    count += 1;
    return sendStep(step, response, body.stream === true);
  };

  const server = createServer((request, response) => {
    if (request.method === "POST" && request.url === "/v1/chat/completions") {
      readText(request, (text) => complete(request, response, text));
    } else if (request.method === "GET" && request.url === "/v1/models") {
      sendStep(modelList, response, false);
    } else {
      request.resume();
      sendStep({ status: 404, body: toError(`Unknown path ${request.url}`) }, response, false);
    }
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    count: () => count,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

const modelList: ScriptStep = {
  status: 200,
  body: { object: "list", data: [{ id: "scripted", object: "model", created: 1_700_000_000, owned_by: "weft" }] },
};

function nextStep(script: Script, body: ChatCompletionRequest, index: number): ScriptStep {
  if (typeof script === "function") return script(body, index);
  return script[index] ?? { status: 500, body: toError(`The script has ${script.length} steps and is exhausted.`) };
}

function toError(message: string) {
  return { error: { message, type: "invalid_request_error", param: null, code: null } };
}

function parseRequest(text: string): ChatCompletionRequest | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readText(request: IncomingMessage, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => done((chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString()));
}
