import { z } from "zod";
import { parseJson } from "./json.ts";

/** What a call does to the world: reads it, changes it, or destroys something in it. */
export const toolEffectSchema = z.enum(["read", "write", "destructive"]);
export type ToolEffect = z.infer<typeof toolEffectSchema>;

/** The effect of a request, by its method (RFC 9110, 9.2.1). */
export function effectOfMethod(method: string): ToolEffect {
  if (readMethods.has(method.toUpperCase())) return "read";
  return method.toUpperCase() === "DELETE" ? "destructive" : "write";
}

const readMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * The effect of a call, judged only by its name: `deleteUser`, `orders_purge` and `remove-all` are destructive,
 * whatever their method.
 */
export function effectOfName(name: string): ToolEffect {
  const words = name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ")
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.some((word) => removals.has(word)) ? "destructive" : "write";
}

const removals: ReadonlySet<string> = new Set([
  ...["delete", "deletes", "del", "destroy", "destroys", "drop", "drops", "erase", "erases", "expunge", "purge"],
  ...["purges", "remove", "removes", "rm", "trash", "truncate", "unlink", "wipe", "wipes"],
]);

/** The more destructive of two. */
export function severerEffect(a: ToolEffect, b: ToolEffect): ToolEffect {
  const { options } = toolEffectSchema;
  return options.indexOf(a) > options.indexOf(b) ? a : b;
}

const rulingSchema = z.enum(["allow", "ask", "refuse"]);
export type WriteRuling = z.infer<typeof rulingSchema>;

/**
 * Changes that an agent may make for anonymous visitors: `visitorWrites` in its `apiConfig`. `ask`: a person decides.
 */
export const writePolicySchema = z.strictObject({
  write: rulingSchema.default("allow"),
  destructive: rulingSchema.default("ask"),
});
export type WritePolicy = z.infer<typeof writePolicySchema>;

const settings = z.object({ visitorWrites: writePolicySchema.optional() });

/** The policy in an agent's `apiConfig`; the default if it is absent or invalid. */
export function readWritePolicy(apiConfig: string): WritePolicy {
  const read = settings.safeParse(parseJson(apiConfig));
  return (read.success ? read.data.visitorWrites : undefined) ?? writePolicySchema.parse({});
}

/** Whether an `apiConfig` has a valid policy, or none. */
export function hasValidWritePolicy(apiConfig: string): boolean {
  const config = parseJson(apiConfig);
  return config === null || typeof config !== "object" || settings.safeParse(config).success;
}

const severity: readonly WriteRuling[] = ["allow", "ask", "refuse"];

/** Allows only what both allow: an agent called by another one for a visitor may do no more than either. */
export function stricterPolicy(a: WritePolicy, b: WritePolicy): WritePolicy {
  const stricter = (one: WriteRuling, other: WriteRuling) =>
    severity.indexOf(one) > severity.indexOf(other) ? one : other;
  return { write: stricter(a.write, b.write), destructive: stricter(a.destructive, b.destructive) };
}
