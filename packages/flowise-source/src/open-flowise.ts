import type { FlowiseSource, OpenFlowiseOptions } from "./flowise-source.ts";
import { FlowiseSourceError } from "./flowise-source-error.ts";

/** Opens read-only. Rejects with `FlowiseSourceError`: no such file, not a Flowise database, wrong password, … */
export function openFlowise({ database, exportFile }: OpenFlowiseOptions): Promise<FlowiseSource> {
  return Promise.reject(new FlowiseSourceError(`${database ?? exportFile} cannot be read yet.`));
}
