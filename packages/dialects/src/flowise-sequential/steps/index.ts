import type { StepConverter } from "../step.ts";
import { branches } from "./branches.ts";
import { functions } from "./functions.ts";
import { models } from "./models.ts";

/** Steps of sequential graphs, by component. */
export const stepTable: ReadonlyMap<string, StepConverter> = new Map(
  Object.entries({ ...models, ...branches, ...functions }),
);
