import { WeftError } from "@weft/schema";

/** What is being read, or undefined where reading rejects with `not-found`: for `recall` of a route. */
export async function ifFound<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof WeftError && error.code === "not-found") return undefined;
    throw error;
  }
}
