import { createPlural, formatNumber } from "../index.ts";

export const plural = createPlural("de");

/** A number with its noun: „3 Schritte“. */
export function counted(count: number, one: string, other: string): string {
  return `${formatNumber(count)} ${plural(count, one, other)}`;
}
