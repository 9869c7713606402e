import { hash } from "node:crypto";
import { keyOfOwnStore } from "@weft/schema";

/** The id that a reference to a store means to an agent: deterministic for an agent and key. */
export function resolveStoreId(storeId: string, agentId: string | undefined): string {
  const key = keyOfOwnStore(storeId);
  return key === undefined || agentId === undefined ? storeId : toUuid(hash("sha256", `${agentId} ${key}`, "hex"));
}

/** A name-based UUID, version 8. */
function toUuid(hex: string): string {
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join("-");
}
