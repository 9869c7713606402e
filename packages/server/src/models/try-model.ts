import type { ModelReference, ModelResolver } from "@weft/engine";
import { type ModelTrial, WeftError } from "@weft/schema";

export type TryModelDeps = { models: ModelResolver; now: () => number };

/** Longer nobody waits at a form. */
const timeoutMs = 20_000;

/** Room for a word, also for a model that thinks before it speaks. */
const maxTokens = 64;

const messages = [{ role: "user" as const, content: 'Answer with the one word "ready".' }];

/**
 * Asks a model for one word. Whatever the vendor or the network says against it is the answer, not a failure; rejects
 * when `signal` aborts.
 */
export async function tryModel(
  { models, now }: TryModelDeps,
  reference: ModelReference,
  signal: AbortSignal,
): Promise<ModelTrial> {
  const startedAtMs = now();
  const timeout = AbortSignal.timeout(timeoutMs);
  const report = (outcome: Omit<ModelTrial, "durationMs">) => ({ ...outcome, durationMs: now() - startedAtMs });
  let id = "";
  try {
    const model = await models.resolve(reference);
    id = model.id;
    const { text } = await model.answer({
      messages,
      parameters: { maxTokens },
      signal: AbortSignal.any([signal, timeout]),
    });
    return report({ ok: true, model: id, message: text.slice(0, 500) });
  } catch (cause) {
    signal.throwIfAborted();
    if (timeout.aborted) return report({ ok: false, model: id, message: `No answer came in ${timeoutMs / 1_000} s.` });
    if (!(cause instanceof WeftError)) throw cause;
    return report({ ok: false, model: id, message: cause.message });
  }
}
