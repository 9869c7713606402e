import { chains } from "./steps/chains.ts";
import { functions } from "./steps/functions.ts";
import type { StepConverter } from "./steps/step.ts";

/** Components that do their work as steps, by name. All others are settings of the steps that use them. */
export const stepTable: ReadonlyMap<string, StepConverter> = new Map(Object.entries({ ...chains, ...functions }));
