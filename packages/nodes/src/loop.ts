import { defineNode, reachableFrom, templated } from "@weft/engine";
import { z } from "zod";

/** Goes back to an earlier step, so often and no more; then on. */
export const loop = defineNode({
  type: "loop",
  version: 1,
  title: "Loop",
  summary: "Goes back to an earlier step, a limited number of times, and then on.",
  group: "logic",
  mayRetry: false,
  icon: "loop",
  outline: ["target", "times"],
  config: z.object({
    target: z.string().max(200).default("").meta({ title: "Back to", widget: "node" }),
    times: z
      .number()
      .int()
      .min(0)
      .max(1_000)
      .default(5)
      .meta({ title: "At most", help: "How often it goes back. The steps run once more than that." }),
    fallback: z
      .string()
      .max(200_000)
      .default("")
      .meta({
        title: "Message at the end",
        help: "What the loop says when it may not go back again.",
        widget: "textarea",
        ...templated,
      }),
  }),
  check({ target }, { nodeId, level }) {
    const problem = (code: string, message: string) => [{ level: "error" as const, code, path: "target", message }];
    if (target === "") return problem("loop-target-missing", "It does not say where to go back to. Choose a step.");
    if (!level.nodeIds.includes(target)) {
      return problem("loop-target-unknown", `It goes back to "${target}", which is no step beside it. Choose one.`);
    }
    if (target !== nodeId && reachableFrom(level, target).has(nodeId)) return [];
    return problem("loop-target-not-before", `It goes back to "${target}", which does not lead to it. Choose another.`);
  },
  async execute(context, { target, times, fallback }) {
    const passes = context.jumps + 1;
    if (context.jumps < times) return { type: "jump", to: target, output: { target, count: passes }, text: "" };
    const text = context.renderText(fallback) || `The loop ended: it may go back ${times} times.`;
    return { type: "completed", output: { content: text, count: context.jumps }, text };
  },
});
