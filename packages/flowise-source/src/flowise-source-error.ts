/** A message for the operator about why a Flowise installation cannot be read. Contains no key and no password. */
export class FlowiseSourceError extends Error {
  override readonly name = "FlowiseSourceError";
}
