import { lazy } from "react";

/** The chat is large: what only shows parts of it does not wait for it. Renders in a `Suspense`. */
export const ChatPanel = lazy(async () => ({ default: (await import("./chat-panel.tsx")).ChatPanel }));

export { HumanAnswer } from "./messages/human-answer.tsx";
export type { HumanReply } from "./session/chat-session.ts";
