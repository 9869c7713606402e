import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { RecordedRequest, Script, ScriptStep } from "./script-step.ts";
import { createStepSender } from "./send-step.ts";
import type { WireFormat } from "./wire-format.ts";

export type ScriptedServerOptions<Request> = {
  script: Script<Request>;
  /** Default 0: any free port of 127.0.0.1. */
  port?: number;
  /** Whether requests are kept in `requests`. Default true; benchmarks switch it off. */
  record?: boolean;
};

export type ScriptedServer<Request> = {
  /** Base URL for a client. */
  readonly url: string;
  /** Requests for an answer so far, oldest first. */
  readonly requests: RecordedRequest<Request>[];
  /** How many requests for an answer came, recorded or not. */
  readonly count: () => number;
  /** How many of them the client left before their answer was complete. */
  readonly abandoned: () => number;
  /** Ends open answers and frees the port. */
  close(): Promise<void>;
};

/**
 * A real HTTP server that speaks a vendor's wire format and says what a script tells it. Tests use it as the vendor;
 * benchmarks as the model whose time is known: answers are rendered once per step.
 */
export async function createScriptedServer<Request>(
  format: WireFormat<Request>,
  options: ScriptedServerOptions<Request>,
): Promise<ScriptedServer<Request>> {
  const requests: RecordedRequest<Request>[] = [];
  const sendStep = createStepSender(format);
  let count = 0;
  let abandoned = 0;

  const answer = (request: IncomingMessage, response: ServerResponse, path: string, bytes: Buffer) => {
    const body = format.parse(bytes, request.headers);
    if (body === undefined) {
      return sendStep({ status: 400, body: format.toError("The body cannot be read.") }, response, false);
    }
    if (options.record !== false) requests.push({ path, headers: request.headers as Record<string, string>, body });
    const step = nextStep(options.script, body, count) ?? exhausted(format);
    count += 1;
    response.on("close", () => {
      if (!response.writableFinished) abandoned += 1;
    });
    return sendStep(step, response, format.wantsStream(body, path));
  };

  const server = createServer((request, response) => {
    const path = (request.url ?? "").slice(format.basePath.length);
    const page = request.method === "GET" ? format.pages?.[path] : undefined;
    if (request.method === "POST" && format.isAnswerPath(path)) {
      return readBytes(request, (bytes) => answer(request, response, path, bytes));
    }
    request.resume();
    sendStep(page ?? { status: 404, body: format.toError(`Unknown path ${request.url}`) }, response, false);
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${format.basePath}`,
    requests,
    count: () => count,
    abandoned: () => abandoned,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function nextStep<Request>(script: Script<Request>, body: Request, index: number): ScriptStep | undefined {
  return typeof script === "function" ? script(body, index) : script[index];
}

function exhausted<Request>(format: WireFormat<Request>): ScriptStep {
  return { status: 500, body: format.toError("The script is exhausted: it has no step for this request.") };
}

function readBytes(request: IncomingMessage, done: (bytes: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
}
