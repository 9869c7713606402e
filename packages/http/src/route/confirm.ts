import { WeftError } from "@weft/schema";
import type { Route, SavedKind } from "./define-route.ts";
import { type Identity, isGranted } from "./identity.ts";

type SaveRequest = Parameters<Route["handle"]>[0];

/** Permits the credentials in the saved item to be sent to the destinations it names. `request`: who confirms. */
export type ConfirmSave = (kind: SavedKind, saved: unknown, request: SaveRequest) => Promise<void>;

/** Handles the request, then confirms if the request asks for that. */
export async function handleSave(route: Route, request: SaveRequest, confirm: ConfirmSave | undefined) {
  const { query, identity } = request as SaveRequest & { query?: { confirmDestinations?: string } };
  if (route.confirms === undefined || query?.confirmDestinations !== "true") return route.handle(request);
  if (!isGranted((identity as Identity).grants, "credentials:write")) {
    throw new WeftError("forbidden", { params: { permission: "credentials:write" } });
  }
  const saved = await route.handle(request);
  await confirm?.(route.confirms, saved, request);
  return saved;
}
