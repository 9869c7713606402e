import { reachableFrom } from "@weft/engine";
import { defineNode } from "@weft/engine/node";
import { templated } from "@weft/engine/template";
import { z } from "zod";

/** Jumps back to an earlier step, up to a number of times; then continues. */
export const loop = defineNode({
  type: "loop",
  version: 1,
  title: "Loop",
  summary: "Goes back to an earlier step a limited number of times, then continues.",
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
      .meta({ title: "At most", help: "How many times it goes back. The steps run one more time than that." }),
    fallback: z
      .string()
      .max(200_000)
      .default("")
      .meta({
        title: "Message at the end",
        help: "The message once the loop has reached its limit.",
        widget: "textarea",
        ...templated,
      }),
  }),
  check({ target }, { nodeId, level }) {
    const problem = (code: string, message: string) => [{ level: "error" as const, code, path: "target", message }];
    if (target === "") return problem("loop-target-missing", "No step to go back to is set. Choose one.");
    if (!level.nodeIds.includes(target)) {
      return problem(
        "loop-target-unknown",
        `It goes back to "${target}", which is not a step at the same level. Choose one.`,
      );
    }
    if (target !== nodeId && reachableFrom(level, target).has(nodeId)) return [];
    return problem(
      "loop-target-not-before",
      `It goes back to "${target}", which does not lead to this step. Choose another.`,
    );
  },
  async execute(context, { target, times, fallback }) {
    const passes = context.jumps + 1;
    if (context.jumps < times) return { type: "jump", to: target, output: { target, count: passes }, text: "" };
    const text = context.renderText(fallback) || `The loop ended: it may go back ${times} times.`;
    return { type: "completed", output: { content: text, count: context.jumps }, text };
  },
});
