import { isJsonObject, uuidSchema, WeftError } from "@weft/schema";

/** Resolves with what is read, or undefined if reading rejects with `not-found`: for `recall` of a route. */
export async function ifFound<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof WeftError && error.code === "not-found") return undefined;
    throw error;
  }
}

/** An id in a request part that is not validated yet; undefined if it is absent or not a UUID. */
export function rawId(part: unknown, name: string): string | undefined {
  if (!isJsonObject(part) || !Object.hasOwn(part, name)) return undefined;
  return uuidSchema.safeParse(part[name]).data;
}
