import { createPlural, formatNumber } from "../index.ts";

export const plural = createPlural("es");

/** A number with its noun: “3 pasos”. */
export function counted(count: number, one: string, other: string): string {
  return `${formatNumber(count)} ${plural(count, one, other)}`;
}
