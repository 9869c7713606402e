import type { NodeConverter } from "../node-converter.ts";

export const directReply: NodeConverter = {
  type: "direct-reply",
  toConfig: ({ settings }) => ({ message: settings.template("directReplyMessage") }),
};
