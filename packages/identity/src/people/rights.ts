import { type Identity, isGranted } from "@weft/http/identity";
import { type Role, WeftError } from "@weft/schema";
import { missingFor } from "../roles.ts";

/** Someone who manages people. `role`: what the database says now; undefined for an API key. */
export type Manager = { identity: Identity; role: Role | undefined };

/**
 * Nobody gives a role with more rights than their own, nor manages someone who has more: a new password for an owner
 * would be a way to become one. Throws `forbidden`.
 */
export function assertMayManage({ identity, role }: Manager, managed: Role): void {
  // Both checks of the rights now: the identity may be a second old.
  if (!isGranted(identity.grants, "people:write")) throw forbidden("people:write");
  if (managed === "owner" && role !== "owner") {
    const message = "Only an owner can make owners, change them or remove them.";
    throw new WeftError("forbidden", { params: { permission: "" }, message });
  }
  const missing = missingFor(identity.grants, managed);
  if (missing !== undefined) throw forbidden(missing);
}

function forbidden(permission: string): WeftError {
  return new WeftError("forbidden", { params: { permission } });
}
