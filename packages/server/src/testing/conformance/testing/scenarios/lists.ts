import { randomUUID } from "node:crypto";
import type { Special } from "../scenario.ts";

/** Of operations that list what belongs to an agent. */
export const badOrder: Special = {
  how: "an order that there is not",
  request: () => ({ params: { id: randomUUID() }, query: { order: "up" } }),
};

/** Rows without 400: a malformed id is an unknown id. Source: contract "Statuses and errors". */
export const malformedId: Special & { status: number } = {
  status: 200,
  how: "an id that is not a UUID: an empty list",
  request: () => ({ params: { id: "nonsense" } }),
};
