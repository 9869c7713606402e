import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** One answer of the model, written when the test says so. */
export type PacedAnswer = { say(text: string): void; finish(): void };

/**
 * An OpenAI-compatible server that streams at the pace of the test, or answers whole where no stream is asked for. Texts are
 * embedded at once: stores ask for it by themselves, at times that no test knows.
 */
export async function startPacedModel() {
  const answers: PacedAnswer[] = [];
  const waiting: ((answer: PacedAnswer) => void)[] = [];
  const server = createServer(async (request, response) => {
    const { stream, input } = (await json(request)) as { stream?: boolean; input?: string | string[] };
    if (request.url?.endsWith("/embeddings")) return embed(response, [input ?? []].flat().length);
    if (stream === true) response.writeHead(200, { "content-type": "text/event-stream" });
    const answer = stream === true ? toAnswer(response) : toWholeAnswer(response);
    const take = waiting.shift();
    if (take === undefined) answers.push(answer);
    else take(answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** The answer to the next request. */
    next: (): Promise<PacedAnswer> => {
      const [answer] = answers.splice(0, 1);
      return answer === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(answer);
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function embed(response: ServerResponse, count: number): void {
  const data = Array.from({ length: count }, (_, index) => ({ object: "embedding", index, embedding: [1, 0, 0] }));
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ object: "list", data, model: "paced", usage: { prompt_tokens: 1, total_tokens: 1 } }));
}

function toAnswer(response: ServerResponse): PacedAnswer {
  const write = (delta: object, finish_reason: string | null) => {
    const chunk = { id: "1", object: "chat.completion.chunk", created: 1, model: "paced" };
    response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
  };
  return {
    say: (content) => write({ role: "assistant", content }, null),
    finish() {
      write({}, "stop");
      response.end("data: [DONE]\n\n");
    },
  };
}

function toWholeAnswer(response: ServerResponse): PacedAnswer {
  let content = "";
  return {
    say(text) {
      content += text;
    },
    finish() {
      const message = { role: "assistant", content };
      const choices = [{ index: 0, message, finish_reason: "stop" }];
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ id: "1", object: "chat.completion", created: 1, model: "paced", choices }));
    },
  };
}
