import { defineNode, type ItemOutcome, type NodeContext } from "@weft/engine/node";
import { templated, toText } from "@weft/engine/template";
import { type Json, WeftError } from "@weft/schema";
import { z } from "zod";
import { findJson } from "./read-json.ts";

const config = z.object({
  items: z
    .string()
    .max(1_000_000)
    .default("")
    .meta({ title: "Items", help: "A list, or the JSON text of one.", widget: "textarea", ...templated }),
  concurrency: z.number().int().min(1).max(100).default(1).meta({
    title: "At once",
    help: "Number of items processed in parallel; 1 means one after another. The run's own limit also applies.",
  }),
  onItemError: z
    .enum(["stop", "skip", "collect"])
    .default("stop")
    .meta({
      title: "When an item fails",
      labels: { stop: "Stop", skip: "Skip it", collect: "Collect it" },
      help: "Stop: the iteration fails. Skip: the item has no result. Collect: the error becomes the item's result.",
    }),
});
type IterationSettings = z.infer<typeof config>;

/** Runs the steps inside it once for every item of a list. */
export const iteration = defineNode({
  type: "iteration",
  version: 1,
  title: "Iteration",
  summary: "Runs the steps inside it for every item of a list; steps read the item as {{ $iteration }}.",
  group: "logic",
  mayRetry: false,
  hasSubFlow: true,
  icon: "repeat",
  outline: ["items"],
  config,
  check(_config, { subFlow }) {
    if (subFlow !== undefined && subFlow.nodeIds.length > 0) return [];
    return [{ level: "warning", code: "iteration-empty", message: "It contains no steps. Add one." }];
  },
  review: ({ items }) =>
    items.trim() === ""
      ? [
          {
            level: "error",
            code: "items-missing",
            path: "items",
            message: "It has no list to iterate over. Enter one.",
          },
        ]
      : [],
  async execute(context, settings) {
    if (context.spawned) return complete(context, context.spawned, settings);
    const { concurrency, onItemError } = settings;
    const items = toItems(context, context.render(settings.items));
    const tolerance = onItemError === "stop" ? {} : ({ toleratesFailures: true } as const);
    return { type: "spawn", items, concurrency, ...tolerance };
  },
});

function toItems(context: NodeContext, value: Json): Json[] {
  const items = typeof value === "string" ? findJson(value) : value;
  if (Array.isArray(items)) return items;
  const reason = `${context.label}: its items are not a list. Provide a list, or the JSON text of one.`;
  throw new WeftError("flow-node-failed", { params: { reason } });
}

/** `content` is the results as lines of text; empty ones are left out. */
function complete(context: NodeContext, outcomes: readonly ItemOutcome[], { onItemError }: IterationSettings) {
  const failures = outcomes.flatMap((outcome, index) =>
    outcome.ok ? [] : `Item ${index + 1}: ${outcome.error.message}`,
  );
  if (failures.length > 0) {
    context.warn("items-failed", `${context.label}: ${failures.length} of ${outcomes.length} failed. ${failures[0]}`);
  }
  const results = outcomes.flatMap((outcome, index): Json[] => {
    if (outcome.ok) return [outcome.value];
    return onItemError === "collect" ? [`Item ${index + 1} failed: ${outcome.error.message}`] : [];
  });
  const text = results
    .map(toText)
    .filter((line) => line !== "")
    .join("\n");
  return { type: "completed" as const, output: { content: text, results }, text };
}
