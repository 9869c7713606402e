import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { createClient, type PredictionFrame, WeftApiError } from "./index.ts";

const run = "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f";
const frame = (id: string, event: string, data: unknown = "") =>
  `id:${run}:${id}\nmessage:\ndata:${JSON.stringify({ event, data })}\n\n`;

/** Everything that a run says. */
const told = [
  frame("1", "start"),
  frame("1.1", "agentFlowEvent", "INPROGRESS"),
  frame("2", "nextAgentFlow", { nodeId: "llm_0", nodeLabel: "LLM", status: "INPROGRESS" }),
  frame("2.3", "token", "Hel"),
  frame("2.5", "token", "lo"),
  frame("3", "agentFlowEvent", "FINISHED"),
  frame("3.1", "end", "[DONE]"),
];

function toldAfter(lastEventId: string | undefined): string[] {
  return told.slice(told.findIndex((text) => text.startsWith(`id:${lastEventId}\n`)) + 1);
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server whose answers are given one after the other; the last repeats. */
async function serve(t: TestContext, answers: readonly Answer[]) {
  const asked: { method: string; url: string; lastEventId: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    asked.push({ method, url, lastEventId: headers["last-event-id"] as string | undefined });
    request.resume();
    answers[Math.min(asked.length, answers.length) - 1]?.(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const client = createClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, token: "t" });
  return { asked, client };
}

/** Sends the frames that are still to come, as many of them as said, and breaks the connection. */
function cutAfter(count: number, end: "break" | "end" = "break"): Answer {
  return (request, response) => {
    const text = toldAfter(request.headers["last-event-id"] as string | undefined)
      .slice(0, count)
      .join("");
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`:heartbeat\n\n${text}id:unfinished`, () => (end === "end" ? response.end() : response.destroy()));
  };
}

const goOn: Answer = (request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(toldAfter(request.headers["last-event-id"] as string | undefined).join(""));
};

const refuse =
  (status: number, body: object): Answer =>
  (_request, response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

async function read(frames: AsyncIterable<PredictionFrame>): Promise<string[]> {
  const read: string[] = [];
  for await (const { id, event, data } of frames) read.push(frame(id.slice(run.length + 1), event, data));
  return read;
}

test("a stream that is cut anywhere, by a broken connection or an early end, tells everything once", async (t) => {
  for (let count = 1; count < told.length; count += 1) {
    for (const end of ["break", "end"] as const) {
      const { client, asked } = await serve(t, [cutAfter(count, end), goOn]);
      assert.deepEqual(await read(client.streamPrediction("agent", { question: "Hi" })), told, `cut after ${count}`);
      assert.deepEqual(
        asked.map(({ method, url }) => `${method} ${url}`),
        ["POST /api/v1/prediction/agent", `GET /api/v1/executions/${run}/events`],
      );
    }
  }
});

test("a stream that is cut again and again goes on", async (t) => {
  const { client, asked } = await serve(t, [cutAfter(2), cutAfter(1), cutAfter(0), cutAfter(2), goOn]);
  assert.deepEqual(await read(client.streamPrediction("agent", { question: "Hi" })), told);
  assert.deepEqual(
    asked.map(({ lastEventId }) => lastEventId),
    [undefined, `${run}:1.1`, `${run}:2`, `${run}:2`, `${run}:2.5`],
  );
});

test("a server that is away for a moment is asked again, one that refuses is not", async (t) => {
  const stopping = { code: "shutting-down", message: "The server is stopping.", retryable: true };
  const returning = await serve(t, [cutAfter(4), refuse(503, stopping), refuse(502, {}), goOn]);
  assert.deepEqual(await read(returning.client.streamPrediction("agent", { question: "Hi" })), told);

  const gone = { code: "not-found", message: "No execution.", errors: [], requestId: "r" };
  const refusing = await serve(t, [cutAfter(4), refuse(404, gone)]);
  await assert.rejects(read(refusing.client.streamPrediction("agent", { question: "Hi" })), (error) => {
    assert.ok(error instanceof WeftApiError);
    assert.deepEqual([error.status, error.code, error.requestId], [404, "not-found", "r"]);
    return true;
  });
  assert.equal(refusing.asked.length, 2);
});

test("a prediction that is refused, or breaks off before it said what it is called, fails at once", async (t) => {
  const { client, asked } = await serve(t, [refuse(422, { code: "validation-failed", message: "No question." })]);
  await assert.rejects(read(client.streamPrediction("agent", {})), { code: "validation-failed", status: 422 });
  const silent = await serve(t, [cutAfter(0)]);
  await assert.rejects(read(silent.client.streamPrediction("agent", { question: "Hi" })));
  assert.deepEqual([asked.length, silent.asked.length], [1, 1]);
});

test("an agent is tried out at the address for that", async (t) => {
  const { client, asked } = await serve(t, [cutAfter(2), goOn]);
  assert.deepEqual(await read(client.streamPrediction("agent", { question: "Hi" }, { internal: true })), told);
  assert.equal(asked[0]?.url, "/api/v1/internal-prediction/agent");
});

test("a run that was begun before is followed from any of its frames, across breaks", async (t) => {
  const { client, asked } = await serve(t, [cutAfter(0), cutAfter(1), goOn]);
  assert.deepEqual(await read(client.followExecution(run)), told);
  assert.deepEqual(
    asked.map(({ method, url, lastEventId }) => [method, url, lastEventId]),
    [undefined, undefined, `${run}:1`].map((lastEventId) => ["GET", `/api/v1/executions/${run}/events`, lastEventId]),
  );
  const later = await serve(t, [cutAfter(0), goOn]);
  assert.deepEqual(await read(later.client.followExecution(run, { lastEventId: `${run}:2.3` })), told.slice(4));
  const refusing = await serve(t, [refuse(404, { code: "not-found", message: "No execution." })]);
  await assert.rejects(read(refusing.client.followExecution(run)), { code: "not-found" });
});

test("who stops reading closes the connection, who aborts is not reconnected", async (t) => {
  const closed = Promise.withResolvers<void>();
  const { client, asked } = await serve(t, [
    (_request, response) => {
      response.on("close", closed.resolve);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(told.slice(0, 3).join(""));
    },
  ]);
  for await (const _frame of client.streamPrediction("agent", { question: "Hi" })) break;
  await closed.promise;

  const controller = new AbortController();
  const reading = async () => {
    const frames = client.streamPrediction("agent", { question: "Hi" }, { signal: controller.signal });
    for await (const _frame of frames) controller.abort();
  };
  await assert.rejects(reading(), { name: "AbortError" });
  assert.equal(asked.length, 2);
});
