/** Says in sentences for the operator what keeps a Flowise installation from being read. Holds no key and no password. */
export class FlowiseSourceError extends Error {
  override readonly name = "FlowiseSourceError";
}
