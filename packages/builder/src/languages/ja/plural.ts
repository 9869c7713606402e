import { formatNumber } from "../index.ts";

/** A number with its counter: 「3件」. Japanese has no plural. */
export function counted(count: number, counter: string): string {
  return `${formatNumber(count)}${counter}`;
}
