import type { ChatModel, ModelAnswer, ModelCall } from "@weft/engine/ports/chat-model";
import type { ExchangeAnswer, HttpExchange } from "@weft/engine/ports/http-client";
import { fromConnection, type ModelErrorContext, toRefusal, unreadable } from "./failure/model-failure.ts";

/** The wire format of one vendor's chat API. */
export type ChatWire = {
  toRequest(call: ModelCall): VendorCall | Promise<VendorCall>;
  /** Reads an answer in one piece. Throws `model-invalid-answer` for anything else. */
  readWhole(body: string, call: ModelCall): ModelAnswer;
  openStream(call: ModelCall): ChatStream;
};

export type VendorCall = { url: string; headers: Record<string, string>; body: string };

/** Reads a streamed answer incrementally. Both may throw the vendor's error, or `model-invalid-answer`. */
export type ChatStream = { push(bytes: Uint8Array): void; finish(): ModelAnswer };

/**
 * A vendor's model over HTTP. Streams with `onText`, and passes text on in the tick in which its bytes arrive;
 * otherwise requests the answer in one piece. Failures are `WeftError`s of `model-*` codes; none contains the key.
 */
export function createHttpChatModel(wire: ChatWire, context: ModelErrorContext, exchange: HttpExchange): ChatModel {
  return {
    id: context.id,
    async answer(call) {
      const { signal } = call;
      signal.throwIfAborted();
      let isAnswered = false;
      try {
        const request = await wire.toRequest(call);
        const answer = await exchange({ method: "POST", ...request, signal });
        isAnswered = true;
        return await readAnswer(answer, call, { wire, context });
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw fromConnection(error, context, isAnswered) ?? error;
      }
    },
  };
}

type Asked = { wire: ChatWire; context: ModelErrorContext };

async function readAnswer(answer: ExchangeAnswer, call: ModelCall, { wire, context }: Asked): Promise<ModelAnswer> {
  const { status } = answer;
  if (status < 200 || status > 299) {
    const body = await answer.text();
    throw status < 400 ? unreadable(body) : toRefusal({ ...answer, body }, context);
  }
  if (call.onText === undefined) return wire.readWhole(await answer.text(), call);
  const stream = wire.openStream(call);
  await answer.read(stream.push);
  return stream.finish();
}
