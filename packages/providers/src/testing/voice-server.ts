import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

type VoiceRequest = { path: string; headers: IncomingHttpHeaders; body: Record<string, unknown> };

/** What a vendor answers: pieces of a recording, a recording that never ends after them, or JSON such as a refusal. */
export type VoiceStep =
  | { pieces: readonly (string | Uint8Array)[]; hangs?: boolean; breaks?: boolean; contentType?: string }
  | { status: number; body: object };

/** A server that reads texts aloud, by a script whose last step stays. `abandoned`: requests whose client went away before the end. */
export async function startVoiceServer(...script: VoiceStep[]) {
  const requests: VoiceRequest[] = [];
  let abandoned = 0;
  const flow: Flow = { writtenBytes: 0, isHeld: false };
  const server = createServer(async (request, response) => {
    const body = request.method === "GET" ? {} : ((await json(request)) as Record<string, unknown>);
    requests.push({ path: request.url ?? "", headers: request.headers, body });
    const step = script[requests.length - 1] ?? script.at(-1) ?? { status: 500, body: { error: "the script is over" } };
    response.on("close", () => {
      if (!response.writableFinished) abandoned += 1;
    });
    await answer(response, step, flow);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    abandoned: () => abandoned,
    /** Of all recordings. Held: its client takes nothing more for now. */
    flow: (): Readonly<Flow> => flow,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

type Flow = { writtenBytes: number; isHeld: boolean };

async function answer(response: ServerResponse, step: VoiceStep, flow: Flow): Promise<void> {
  if ("status" in step) {
    response.writeHead(step.status, { "content-type": "application/json" }).end(JSON.stringify(step.body));
    return;
  }
  response.writeHead(200, { "content-type": step.contentType ?? "audio/mpeg" });
  const closed = new Promise((resolve) => response.once("close", resolve));
  for (const piece of step.pieces) {
    flow.isHeld = !response.write(piece);
    flow.writtenBytes += Buffer.byteLength(piece);
    if (flow.isHeld && !response.closed) await Promise.race([once(response, "drain"), closed]);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  if (step.breaks) response.destroy();
  else if (!step.hangs) response.end();
}
