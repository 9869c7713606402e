import { defineNode } from "@weft/engine/node";
import { z } from "zod";

/** A note on the canvas, which is never executed. */
export const stickyNote = defineNode({
  type: "sticky-note",
  version: 1,
  title: "Sticky note",
  summary: "A note for the people who read the flow.",
  group: "note",
  icon: "note",
  answers: "never",
  ports: [],
  config: z.object({
    text: z.string().max(20_000).default("").meta({ title: "Text", widget: "textarea" }),
  }),
});
