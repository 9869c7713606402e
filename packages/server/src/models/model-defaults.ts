import type { SecretVault } from "@weft/egress";
import { accounts, type ModelDefaults } from "@weft/providers";
import { parseBoundHost } from "@weft/schema";
import type { Config } from "../config.ts";

/** Settings that form choices need, if present: see `FormHints.needs`. */
export function readOperatorSettings({ modelFolders }: Config): ReadonlySet<string> {
  return new Set(modelFolders.reranker === "" ? [] : ["RERANKER_MODEL_DIR"]);
}

/**
 * The model and the accounts from the operator's configuration. Keys are lent: each goes to its vendor's hosts, or to
 * the address that the operator set in their place, and nowhere else.
 */
export function toModelDefaults(
  { defaultModel, accounts: configured, modelFolders }: Config,
  vault: SecretVault,
): ModelDefaults {
  const entries = accounts.map(({ name, keyVariables: [variable = name] = [], hosts: vendorHosts }) => {
    const { apiKey, baseUrl = "" } = configured[name] ?? {};
    const value = apiKey?.reveal() ?? "";
    const ownHost = parseBoundHost(baseUrl);
    const hosts = ownHost === undefined ? [...vendorHosts] : [ownHost];
    const lent = value.trim() === "" ? value : vault.placeholderFor(variable, { value, name: variable, hosts });
    return [name, { apiKey: lent, baseUrl }] as const;
  });
  return { model: defaultModel, accounts: Object.fromEntries(entries), folders: modelFolders };
}
