import { toJsonObject, WeftError } from "@weft/schema";
import type { Route, SavedKind } from "./define-route.ts";
import { type Identity, isGranted } from "./identity.ts";

/** A request to save something, and who sends it. */
export type SaveRequest = { params: unknown; body: unknown; identity: Identity };

/** Permits the credentials in the saved item to be sent to the destinations it names. */
export type ConfirmSave = (kind: SavedKind, saved: unknown, request: SaveRequest) => Promise<void>;

/** Handles the request, then confirms if the request asks for that. */
export async function handleSave(
  route: Route,
  request: Parameters<Route["handle"]>[0],
  confirm: ConfirmSave | undefined,
) {
  const { query, params, body, identity } = request;
  const isConfirmed = toJsonObject(query).confirmDestinations === "true";
  if (route.confirms === undefined || !isConfirmed) return route.handle(request);
  if (identity === undefined || !isGranted(identity.grants, "credentials:write")) {
    throw new WeftError("forbidden", { params: { permission: "credentials:write" } });
  }
  const saved = await route.handle(request);
  await confirm?.(route.confirms, saved, { params, body, identity });
  return saved;
}
