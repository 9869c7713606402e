import type { NodeConverter } from "../node-converter.ts";

export const stickyNote: NodeConverter = {
  type: "sticky-note",
  toConfig: ({ settings }) => ({ text: settings.text("note") }),
  toPorts: () => [],
};
