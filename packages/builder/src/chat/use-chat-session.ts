import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { client } from "../api/client.ts";
import { createChatMemory } from "./chat-memory.ts";
import { type ChatSession, createChatSession } from "./chat-session.ts";
import type { ChatView } from "./chat-store.ts";
import type { OnRunState } from "./node-run.ts";

export type RunListener = { onRunState?: OnRunState | undefined; onRunStart?: (() => void) | undefined };

/** The chat with an agent that this tab is in, found again after a reload. */
export function useChatSession(agentId: string, listener: RunListener): { session: ChatSession; view: ChatView } {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  const session = useMemo(
    () =>
      createChatSession({
        client,
        agentId,
        memory: createChatMemory(sessionStorage, agentId),
        newId: () => crypto.randomUUID(),
        now: Date.now,
        schedule: (notify) => void requestAnimationFrame(notify),
        onRunState: (nodeId, state) => latest.current.onRunState?.(nodeId, state),
        onRunStart: () => latest.current.onRunStart?.(),
      }),
    [agentId],
  );
  useEffect(() => {
    void session.resume();
    return session.close;
  }, [session]);
  return { session, view: useSyncExternalStore(session.subscribe, session.view) };
}
