import { createSandbox } from "@weft/sandbox";
import type { Json, JsonObject } from "@weft/schema";
import { parseExpression, toJavaScript, toLiteral, withLibrary } from "../power-fx/index.ts";

const sandbox = createSandbox({ workers: 1 });

/** Variables of these tests are `Local.Name`. */
const resolve = (path: readonly string[]) =>
  path[0] === "Local" ? { code: `($flow.state[${toLiteral(path[1])}] ?? null)`, length: 2 } : undefined;

/** The value of an expression, evaluated in the real sandbox, or why it has none. */
export async function evaluate(source: string, state: JsonObject = {}): Promise<Json | { problem: string }> {
  const parsed = parseExpression(source);
  if (!parsed.ok) return { problem: parsed.problem };
  const translated = toJavaScript(parsed.expression, resolve);
  if (!translated.ok) return { problem: translated.problem };
  const code = withLibrary(`return { value: ${translated.code} };`);
  const globals = { $flow: { state, input: "hello" } };
  const result = await sandbox.run({ code, globals, timeoutMs: 5_000, signal: AbortSignal.timeout(10_000) });
  if (!result.ok) return { problem: result.error.message };
  return (result.value as { value: Json }).value;
}

export async function closeSandbox(): Promise<void> {
  await sandbox.close();
}
