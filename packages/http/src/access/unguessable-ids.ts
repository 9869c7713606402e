import { WeftError } from "@weft/schema";

/** A uuid, perhaps after words of the client's own, as in `customer-7+0198a1b2-…`. */
const unguessable = /(^|[^0-9a-f-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Visitors without credentials show nothing but the id of a chat or session, so it has to be one that nobody else can
 * guess. Throws `validation-failed` for one that is not a UUID and does not end in one. The server makes an absent one.
 */
export function assertUnguessable(path: string, id: unknown): void {
  if (id === undefined || id === null || id === "" || (typeof id === "string" && unguessable.test(id))) return;
  throw new WeftError("validation-failed", {
    params: { reason: `without credentials ${path} must be a uuid, or end in one, so that it cannot be guessed` },
    errors: [{ path, message: "must be a uuid, or end in one" }],
  });
}
