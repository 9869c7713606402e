import type { RunnableAgent } from "@weft/agents";
import type { EventStream, Frame } from "@weft/http/event-stream";
import { everything } from "@weft/http/identity";
import { anonymousOwner } from "@weft/run-host";
import { z } from "zod";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";

/**
 * Sends the recording of an answer between the metadata, which are already sent, and the end, if the agent reads its
 * answers aloud automatically. Nothing for tests of the builder, or for an answer without text. Never rejects, and ends
 * when the client leaves.
 */
export type AutoPlay = (metadata: Frame, stream: EventStream, readAgent: () => Promise<RunnableAgent>) => Promise<void>;

export function createAutoPlay(
  { logger }: Context,
  { runHost: { executions, stopping }, textToSpeech }: Needs<"runHost" | "textToSpeech">,
): AutoPlay {
  return async ({ id, data }, stream, readAgent) => {
    const { executionId, chatId, chatMessageId } = metadataSchema.parse(data);
    try {
      const { agent } = await readAgent();
      const { chatbotConfig } = agent;
      if (!chatbotConfig.includes('"autoPlay"')) return;
      const { events } = await executions.load(executionId, everything);
      const [started, last] = [events[0], events.at(-1)];
      if (started?.type !== "run-started" || started.chatType !== "EXTERNAL" || last?.type !== "run-completed") return;
      const leaving = new AbortController();
      stream.onceOver(() => leaving.abort());
      await textToSpeech.autoPlay(
        { agentId: agent.id, chatId, chatMessageId },
        { text: last.text, chatbotConfig, visitor: started.owner === anonymousOwner ? {} : undefined },
        {
          signal: AbortSignal.any([leaving.signal, stopping]),
          ready: stream.ready,
          // With the id of the metadata: a client that reconnects gets what follows these, and no recording.
          send: (event, sent) => stream.send([{ id, event, data: sent }]),
        },
      );
    } catch (cause) {
      logger.warn("answer-not-read-aloud", { runId: executionId, cause });
    }
  };
}

const metadataSchema = z.object({ executionId: z.string(), chatId: z.string(), chatMessageId: z.string() });
