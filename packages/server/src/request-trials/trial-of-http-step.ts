import {
  type EffectInfo,
  type EffectSpec,
  type HttpClient,
  type NodeContext,
  type TemplatePlace,
  type ToolResult,
  toText,
} from "@weft/engine";
import { nodeRegistry } from "@weft/nodes";
import { type Json, type JsonObject, WeftError } from "@weft/schema";

type StepDeps = { readCredential(id: string): Promise<Record<string, string>>; http: HttpClient; newId(): string };
type StepCall = { render(text: string, place?: TemplatePlace): Json; signal: AbortSignal };

/** Executes an HTTP step outside of a run; an error status is an answer whatever the step makes of it. */
export async function trialOfHttpStep(deps: StepDeps, config: JsonObject, call: StepCall): Promise<ToolResult> {
  const { http: step } = nodeRegistry;
  const parsed = step.config.safeParse({ ...config, failOnErrorStatus: false });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const message = `The step's settings do not fit at ${issue?.path.join(".")}: ${issue?.message}.`;
    throw new WeftError("validation-failed", { message, errors: [{ path: "config", message }] });
  }
  const seen = { url: "" };
  const result = await step.execute(contextOf(deps, call, seen), parsed.data);
  if (result.type !== "completed") throw new Error("An HTTP step completes or fails.");
  const status = Number((result.output as JsonObject).status);
  return { content: result.text ?? "", details: { status, url: seen.url }, ...(status >= 400 && { isError: true }) };
}

/** The part of a run that an HTTP step uses. */
function contextOf(deps: StepDeps, { render, signal }: StepCall, seen: { url: string }): NodeContext {
  const id = deps.newId();
  const context: Pick<NodeContext, "label" | "signal" | "render" | "renderText"> & object = {
    label: "HTTP",
    signal,
    render,
    renderText: (text, place) => toText(render(text, place)),
  };
  const effect = <T extends Json>({ input }: EffectSpec, run: (info: EffectInfo) => Promise<T>): Promise<T> => {
    seen.url = String((input as JsonObject).url);
    return run({ seq: 0, signal, idempotencyKey: id });
  };
  const { readCredential, http } = deps;
  return {
    ...context,
    effect,
    run: { runId: id, input: {} },
    services: { readCredential, http },
  } as unknown as NodeContext;
}
