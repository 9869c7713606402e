import type { ClassicScope } from "../flowise-classic/index.ts";

const places = ["databaseFilePath", "host", "database", "port", "additionalConfig", "credential"];

/** Whether a team remembers earlier turns: where a memory is wired, whatever database it names. */
export function remembers(scope: ClassicScope): boolean {
  const memory = scope.part("agentMemory");
  if (memory === undefined) return false;
  const { settings, report, ignore } = memory;
  const type = settings.text("databaseType");
  const named = places.filter((key) => settings.text(key) !== "");
  if (named.length > 0 || !["", "sqlite"].includes(type)) {
    report.warn(
      "memory-store",
      "Its memory had a database of its own; here messages and state are kept with the session, and what that database holds stays there. Check that nobody needs the old messages.",
    );
  }
  ignore("databaseType", ...places);
  return true;
}
