import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AnswerStep, ScriptStep } from "./script-step.ts";
import type { WireEvent, WireFormat } from "./wire-format.ts";

type Send = (step: ScriptStep, response: ServerResponse, stream: boolean) => void;
type Format = Pick<WireFormat<never>, "render" | "renderStream" | "streamType">;

/** Sends steps. What a step looks like on the wire is rendered once and kept with the step. */
export function createStepSender(format: Format): Send {
  const whole = new WeakMap<ScriptStep, Buffer>();
  const streams = new WeakMap<ScriptStep, Buffer>();
  const renderWhole = (step: AnswerStep) => Buffer.from(JSON.stringify(format.render(step)));
  const renderStream = (step: AnswerStep) => toBytes(toEvents(format, step));

  const sendNow: Send = (step, response, stream) => {
    if ("hang" in step) return hang(step, response, format);
    if ("chunks" in step) return void sendChunks(step.chunks, response, format);
    if ("garbage" in step) return sendWhole(response, Buffer.from(step.garbage), step.contentType);
    if ("status" in step) return sendStatus(step, response);
    if (!stream) return sendWhole(response, remember(whole, step, renderWhole));
    if (step.cutStreamAfter !== undefined) return void cutStream(step, step.cutStreamAfter, response, format);
    sendWhole(response, remember(streams, step, renderStream), format.streamType);
  };

  return (step, response, stream) => {
    const delayMs = "delayMs" in step ? (step.delayMs ?? 0) : 0;
    if (delayMs === 0) return sendNow(step, response, stream);
    const timer = setTimeout(() => sendNow(step, response, stream), delayMs);
    response.on("close", () => clearTimeout(timer));
  };
}

function toEvents({ renderStream }: Format, step: AnswerStep): WireEvent[] {
  const { events, end } = renderStream(step);
  return [...events, ...end];
}

function toBytes(events: readonly WireEvent[]): Buffer {
  return Buffer.concat(events.map((event) => (typeof event === "string" ? Buffer.from(event) : event)));
}

function remember<Step extends ScriptStep>(
  kept: WeakMap<ScriptStep, Buffer>,
  step: Step,
  render: (step: Step) => Buffer,
): Buffer {
  const known = kept.get(step);
  if (known !== undefined) return known;
  const rendered = render(step);
  kept.set(step, rendered);
  return rendered;
}

function sendWhole(response: ServerResponse, body: Buffer, contentType = "application/json"): void {
  response.writeHead(200, { "content-type": contentType, "content-length": body.length });
  response.end(body);
}

function sendStatus(step: Extract<ScriptStep, { status: number }>, response: ServerResponse): void {
  const isText = typeof step.body === "string" || step.body === undefined;
  response.writeHead(step.status, { ...(isText ? {} : { "content-type": "application/json" }), ...step.headers });
  response.end(isText ? step.body : JSON.stringify(step.body));
}

function hang(step: Extract<ScriptStep, { hang: true }>, response: ServerResponse, format: Format): void {
  if (step.afterText === undefined) return;
  response.writeHead(200, { "content-type": format.streamType });
  response.write(toBytes(format.renderStream({ text: step.afterText }).events));
}

async function sendChunks(
  chunks: readonly (string | Uint8Array)[],
  response: ServerResponse,
  { streamType }: Format,
): Promise<void> {
  response.writeHead(200, { "content-type": streamType });
  for (const chunk of chunks) {
    response.write(chunk);
    await nextTurn();
  }
  response.end();
}

/** Ends the socket in the middle of the chunked body, as a crashing vendor does. */
async function cutStream(step: AnswerStep, after: number, response: ServerResponse, format: Format): Promise<void> {
  response.writeHead(200, { "content-type": format.streamType });
  response.flushHeaders();
  const sent = toEvents(format, step).slice(0, after);
  if (sent.length > 0) await new Promise<void>((resolve) => response.write(toBytes(sent), () => resolve()));
  response.socket?.destroy();
}
