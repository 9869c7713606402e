import type { AgentSettings } from "./agent-settings-draft.ts";

/** What a part of the form gets: everything, and a way to change some of it. */
export type SettingsFields = { draft: AgentSettings; change(changed: Partial<AgentSettings>): void };
