import type { JsonObject } from "@weft/schema";
import { toCredential } from "../models/to-model-settings.ts";
import { present } from "../node-converter.ts";
import type { Settings } from "../settings.ts";
import type { ToolConverter, ToolScope } from "./tool-converter.ts";

/** A component for the API of one vendor: which actions are chosen, and which setting gives which argument. */
export type VendorTool = {
  type: string;
  /** The actions that are chosen. */
  chosen(settings: Settings): readonly string[];
  /** Actions that the native integration does not offer. */
  unavailable?: ReadonlySet<string>;
  /**
   * The argument that a setting gives to the chosen actions, or `action.argument` for each that it is for alone; nothing
   * for a setting of others.
   */
  toArgument(setting: string, actions: ReadonlySet<string>): string | readonly string[] | undefined;
  /** Switches that are on where nothing is set. */
  on?: readonly string[];
  /** Whether a setting would change what the chosen actions do there, and changes nothing here. */
  isIgnored?(setting: string, actions: ReadonlySet<string>): boolean;
  /** The credential to choose. Default one of OAuth 2. */
  credential?: string;
  /** What the config has besides; the report says what is missing. */
  toMore?(scope: ToolScope): JsonObject;
};

export function convertVendor({ type, chosen: choose, unavailable = new Set(), ...vendor }: VendorTool): ToolConverter {
  return (scope) => {
    const { name, settings, report } = scope;
    const chosen = choose(settings);
    const actions = chosen.filter((action) => !unavailable.has(action));
    if (actions.length < chosen.length) {
      const others = chosen.filter((action) => unavailable.has(action)).join(", ");
      report.warn(
        "tool-action-unavailable",
        `Its tool ${name} has no action ${others} here. Check what it is used for.`,
      );
    }
    if (actions.length === 0) {
      report.warn("tool-actions-missing", `No action of its tool ${name} is chosen, so it is left out. Choose one.`);
      return undefined;
    }
    const credential = toCredential(settings);
    if (credential === undefined) {
      report.refuse(
        "tool-credential-missing",
        `Its tool ${name} has no credential: exports leave them out. Choose ${vendor.credential ?? "an OAuth 2 credential with a refresh token"}.`,
        "credential",
      );
    }
    const ignored = settings.keys().filter((key) => vendor.isIgnored?.(key, new Set(actions)));
    if (ignored.length > 0) {
      report.warn(
        "tool-settings-ignored",
        `These settings of its tool ${name} are not used here: ${ignored.join(", ")}. Check that it does not need them.`,
      );
    }
    const defaults = toDefaults(scope, new Set(actions), vendor);
    return { type, config: present({ credential, ...vendor.toMore?.(scope), actions, defaults }) };
  };
}

/** What the model need not give; undefined when that is nothing. */
function toDefaults(
  { name, settings, report }: ToolScope,
  actions: ReadonlySet<string>,
  { toArgument, on = [], isIgnored }: Pick<VendorTool, "toArgument" | "on" | "isIgnored">,
): JsonObject | undefined {
  const defaults: JsonObject = {};
  const off = on.filter((key) => settings.text(key) === "false");
  const keys = [...settings.keys().filter((key) => !isIgnored?.(key, actions)), ...off];
  const given = keys.flatMap((key) => [toArgument(key, actions) ?? []].flat().map((argument) => ({ key, argument })));
  for (const { key, argument } of given) {
    const number = /(^|\.)maxResults$/.test(argument) ? settings.number(key) : undefined;
    const value = number === undefined ? settings.template(key) : Math.max(1, Math.floor(number));
    if (Object.hasOwn(defaults, argument) && defaults[argument] !== value) {
      report.warn(
        "tool-settings-ignored",
        `The actions of its tool ${name} share one value for ${argument}, so its setting ${key} is not used here. Use the tool once for each of these actions.`,
      );
      continue;
    }
    defaults[argument] = value;
  }
  return Object.keys(defaults).length === 0 ? undefined : defaults;
}

/** The actions of the group that the setting `groupKey` names, from the list that belongs to the group. */
export function ofGroup(groupKey: string, lists: Readonly<Record<string, string>>): VendorTool["chosen"] {
  return (settings) => settings.names(lists[settings.text(groupKey)] ?? "");
}

/** An argument that is for some of the chosen actions alone. */
export function argumentOf(argument: string, owners: readonly string[], chosen: ReadonlySet<string>): string[] {
  const named = owners.filter((action) => chosen.has(action));
  return chosen.size === named.length ? [argument] : named.map((action) => `${action}.${argument}`);
}

/**
 * Reads which settings belong to which actions: `{ "getEvent deleteEvent": "eventId" }`. A setting that gives an argument
 * of another name is written as `setting:argument`.
 */
export function settingsOf(lists: Readonly<Record<string, string>>): VendorTool["toArgument"] {
  const rows = Object.entries(lists).flatMap(([actions, settings]) =>
    settings.split(" ").map((entry) => {
      const [setting, argument = setting] = entry.split(":");
      return { actions: actions.split(" "), setting, argument };
    }),
  );
  return (setting, chosen) =>
    rows.find((row) => row.setting === setting && row.actions.some((action) => chosen.has(action)))?.argument;
}
