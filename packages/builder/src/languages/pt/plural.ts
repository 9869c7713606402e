import { createPlural, formatNumber } from "../index.ts";

export const plural = createPlural("pt");

/** A number with its noun: “3 etapas”. */
export function counted(count: number, one: string, other: string): string {
  return `${formatNumber(count)} ${plural(count, one, other)}`;
}
