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
      "Its memory used its own database. Here messages and state are kept with the session, and old messages are not copied. Check whether you still need them.",
    );
  }
  ignore("databaseType", ...places);
  return true;
}
