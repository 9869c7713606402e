import type { ExecutionStep } from "@weft/client";
import { executionStrings } from "../strings/executions.ts";

export type RunError = NonNullable<ExecutionStep["error"]>;

/** Advice on a failure in addition to its message. `to`: the page on which to act. */
export type Advice = { text: string; link?: { label: string; to: "/models" | "/credentials" } };

const { advice, links } = executionStrings;

export function errorAdvice({ code, retryable, upstream }: RunError): Advice {
  if (code === "model-not-configured") return { text: advice.configure, link: { label: links.models, to: "/models" } };
  if (code === "model-unauthorized" || code === "credential-unreadable") {
    return { text: advice.credential, link: { label: links.credentials, to: "/credentials" } };
  }
  if (code === "egress-refused") return { text: advice.egress };
  if (upstream?.retryAfterSeconds !== undefined) return { text: advice.retryAfter(upstream.retryAfterSeconds) };
  return { text: retryable ? advice.retryable : advice.permanent };
}
