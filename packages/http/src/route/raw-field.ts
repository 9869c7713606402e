import { uuidSchema } from "@weft/schema";

/** An id in a part of a request that is not checked yet; undefined when it is absent or not a UUID. */
export function rawId(part: unknown, name: string): string | undefined {
  if (typeof part !== "object" || part === null || !Object.hasOwn(part, name)) return undefined;
  return uuidSchema.safeParse((part as Record<string, unknown>)[name]).data;
}
