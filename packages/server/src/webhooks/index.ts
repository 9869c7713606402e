export type { CallbackSender } from "./callback-sender.ts";
