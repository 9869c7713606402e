import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { warmUpQuestion } from "./warm-up-question.ts";

/**
 * A model as a process of its own: `node model.ts RATE SECONDS`. Streams as OpenAI does: for so many seconds, so many
 * tokens a second to each caller, the first at once; as fast as it can to the warm-up's question. Each token says when it was written.
 */
const [rate = 10, seconds = 10] = process.argv.slice(2).map(Number);
const tokens = Math.max(1, Math.round(rate * seconds));
const heads = { id: "chatcmpl-bench", object: "chat.completion.chunk", created: 1_700_000_000, model: "scripted" };

const server = createServer(async (request, response) => {
  const isWarmUp = (await text(request)).includes(warmUpQuestion);
  response.writeHead(200, { "content-type": "text/event-stream" });
  write(response, isWarmUp);
});
server.listen({ host: "127.0.0.1", port: 0, backlog: 4_096 }, () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/v1` })}\n`);
});

function write(response: ServerResponse, isWarmUp: boolean): void {
  let left = tokens;
  const timer = isWarmUp ? undefined : setInterval(next, 1_000 / rate);
  response.once("close", () => clearInterval(timer));
  next();

  function next(): void {
    left -= 1;
    response.write(eventOf({ content: `t${process.hrtime.bigint() / 1_000n} ` }, null));
    if (left > 0) {
      if (isWarmUp) setImmediate(next);
      return;
    }
    clearInterval(timer);
    response.end(`${eventOf({}, "stop")}${usage}data: [DONE]\n\n`);
  }
}

function eventOf(delta: object, finish_reason: string | null): string {
  return `data: ${JSON.stringify({ ...heads, choices: [{ index: 0, delta, logprobs: null, finish_reason }] })}\n\n`;
}

const usage = `data: ${JSON.stringify({ ...heads, choices: [], usage: { prompt_tokens: 9, completion_tokens: tokens } })}\n\n`;
