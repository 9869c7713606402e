import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type CompletionStep, renderCompletion, renderEvents } from "./render-completion.ts";
import type { ScriptStep } from "./script-step.ts";

type Send = (step: ScriptStep, response: ServerResponse, stream: boolean) => void;

/** Sends steps. What a step looks like on the wire is rendered once and kept with the step. */
export function createStepSender(): Send {
  const completions = new WeakMap<ScriptStep, Buffer>();
  const streams = new WeakMap<ScriptStep, Buffer>();

  const sendNow: Send = (step, response, stream) => {
    if ("hang" in step) return hang(step, response);
    if ("chunks" in step) return void sendChunks(step.chunks, response);
    if ("garbage" in step)
      return sendWhole(response, Buffer.from(step.garbage), step.contentType ?? "application/json");
    if ("status" in step) return sendStatus(step, response);
    if (!stream)
      return sendWhole(
        response,
        remember(completions, step, () => renderCompletion(step)),
        "application/json",
      );
    if (step.cutStreamAfter !== undefined) return void cutStream(renderEvents(step), step.cutStreamAfter, response);
    sendWhole(
      response,
      remember(streams, step, () => Buffer.from(renderEvents(step).join(""))),
      "text/event-stream",
    );
  };

  return (step, response, stream) => {
    const delayMs = "delayMs" in step ? (step.delayMs ?? 0) : 0;
    if (delayMs === 0) return sendNow(step, response, stream);
    const timer = setTimeout(() => sendNow(step, response, stream), delayMs);
    response.on("close", () => clearTimeout(timer));
  };
}

function remember(kept: WeakMap<ScriptStep, Buffer>, step: ScriptStep, render: () => Buffer): Buffer {
  const known = kept.get(step);
  if (known !== undefined) return known;
  const rendered = render();
  kept.set(step, rendered);
  return rendered;
}

function sendWhole(response: ServerResponse, body: Buffer, contentType: string): void {
  response.writeHead(200, { "content-type": contentType, "content-length": body.length });
  response.end(body);
}

function sendStatus(step: Extract<ScriptStep, { status: number }>, response: ServerResponse): void {
  const isText = typeof step.body === "string" || step.body === undefined;
  response.writeHead(step.status, { ...(isText ? {} : { "content-type": "application/json" }), ...step.headers });
  response.end(isText ? step.body : JSON.stringify(step.body));
}

function hang(step: Extract<ScriptStep, { hang: true }>, response: ServerResponse): void {
  if (step.afterText === undefined) return;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const events = renderEvents({ text: step.afterText } satisfies CompletionStep);
  response.write(events.slice(0, -3).join(""));
}

async function sendChunks(chunks: readonly (string | Uint8Array)[], response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const chunk of chunks) {
    response.write(chunk);
    await nextTurn();
  }
  response.end();
}

/** Ends the socket in the middle of the chunked body, as a crashing vendor does. */
async function cutStream(events: string[], after: number, response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const sent = events.slice(0, after).join("");
  await new Promise<void>((resolve) => response.write(sent === "" ? ": cut\n\n" : sent, () => resolve()));
  response.socket?.destroy();
}
