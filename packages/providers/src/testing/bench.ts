import type { TestContext } from "node:test";
import type { ChatModel, ModelCall } from "@weft/engine/ports/chat-model";
import type { Clock } from "@weft/engine/ports/clock";
import type { ChatProvider } from "../define-provider.ts";
import { httpTo } from "./model-http.ts";
import type { ScriptStep } from "./script-step.ts";
import { createScriptedServer, type ScriptedServer } from "./scripted-server.ts";
import type { WireFormat } from "./wire-format.ts";

/** A scripted server of a vendor, closed after the test. */
export async function startVendor<Request>(
  t: TestContext,
  format: WireFormat<Request>,
  ...script: ScriptStep[]
): Promise<ScriptedServer<Request>> {
  const server = await createScriptedServer(format, { script });
  t.after(server.close);
  return server;
}

export type ModelUnderTest<Request> = {
  chat: ChatProvider;
  format: WireFormat<Request>;
  model: string;
  apiKey?: string;
};

/** A model of a provider whose address is that of a scripted server. */
export async function startModel<Request>(
  t: TestContext,
  { chat, format, ...options }: ModelUnderTest<Request>,
  ...script: ScriptStep[]
): Promise<{ server: ScriptedServer<Request>; model: ChatModel }> {
  const server = await startVendor(t, format, ...script);
  return { server, model: await chat.create({ ...options, baseUrl: server.url, ...httpTo(server.url) }) };
}

/** Asks a model something, where only what `call` says matters. */
export function ask(model: ChatModel, call: Partial<ModelCall> = {}): ReturnType<ChatModel["answer"]> {
  return model.answer({
    messages: [{ role: "user", content: "Hi" }],
    signal: new AbortController().signal,
    ...call,
  });
}

/** A recording, as transcribers receive it. */
export function recording(signal = new AbortController().signal) {
  return { bytes: new Uint8Array([82, 73, 70, 70]), mediaType: "audio/webm", fileName: "message.webm", signal };
}

/** A clock that passes when it is told to. `sleepers`: who waits for it. */
export function createTestClock() {
  let now = 0;
  const sleepers = new Set<{ at: number; wake(): void }>();
  const clock: Pick<Clock, "elapsed" | "sleep"> = {
    elapsed: () => now,
    sleep: (ms, signal) =>
      new Promise((wake, reject) => {
        const sleeper = { at: now + ms, wake };
        sleepers.add(sleeper);
        signal.addEventListener("abort", () => sleepers.delete(sleeper) && reject(signal.reason), { once: true });
      }),
  };
  return {
    clock,
    sleepers,
    async pass(ms: number) {
      now += ms;
      for (const sleeper of [...sleepers]) {
        if (sleeper.at > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      await new Promise(setImmediate);
    },
  };
}
