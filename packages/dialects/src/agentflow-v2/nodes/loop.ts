import { type NodeConverter, present } from "../node-converter.ts";

/** Their count says how often the target runs in all; the native one, how often the loop goes back to it. */
export const loop: NodeConverter = {
  type: "loop",
  toConfig({ settings, flow }) {
    const wanted = settings.text("loopBackToNode");
    const runs = settings.number("maxLoopCount") ?? 5;
    return present({
      target: flow.findByTarget(wanted) ?? wanted.slice(0, 200),
      times: Math.min(1_000, Math.max(0, Math.floor(runs) - 1)),
      fallback: settings.template("fallbackMessage") || undefined,
    });
  },
};
