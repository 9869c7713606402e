import { createPlural, formatNumber } from "../index.ts";

export const plural = createPlural("fr");

/** A number with its noun: “3 étapes”. 0 and 1 are singular. */
export function counted(count: number, one: string, other: string): string {
  return `${formatNumber(count)} ${plural(count, one, other)}`;
}
