import { lazy } from "react";

/** The chat is large: pages that show only parts of it do not wait for it. Render it in a `Suspense`. */
export const ChatPanel = lazy(async () => ({ default: (await import("./chat-panel.tsx")).ChatPanel }));

export { chatConfigQuery } from "./chat-config.ts";
export { HumanAnswer } from "./messages/human-answer.tsx";
export type { HumanReply } from "./session/chat-session.ts";
