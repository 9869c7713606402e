import { listSchemaChanges, unknownChanges } from "@weft/database/migrate";
import { migrations } from "@weft/database/migrations";
import { checks as allChecks } from "./checks.ts";
import type { Check, CheckDeps, Notice } from "./space-check.ts";

export type Finding = Notice & { check: string };

/**
 * The notices of all checks; only the schema's if it is not of this version. A failing check becomes a notice and does
 * not stop the others.
 */
export async function runChecks(deps: CheckDeps, checks: readonly Check[] = allChecks): Promise<Finding[]> {
  const ofSchema = await findingsOf(schemaCheck, deps);
  if (ofSchema.length > 0) return ofSchema;
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...(await findingsOf(check, deps)));
  return findings;
}

async function findingsOf({ name, run }: Check, deps: CheckDeps): Promise<Finding[]> {
  try {
    return (await run(deps)).map((notice) => ({ check: name, ...notice }));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return [{ check: name, message: `The check ${name} could not be made: ${reason}` }];
  }
}

/** Whether the database has the tables of this version. Every other check needs them. */
export const schemaCheck: Check = {
  name: "schema",
  async run({ read }) {
    const done = new Set(await listSchemaChanges(read));
    const missing = Object.keys(migrations).filter((name) => !done.has(name));
    const unknown = unknownChanges([...done]);
    if (unknown.length > 0) {
      return [
        {
          message: `The data was written by a newer version of Weft (it has ${unknown.join(", ")}). Run the doctor of that version.`,
        },
      ];
    }
    if (missing.length === 0) return [];
    return [
      {
        message: `The database is of an earlier version and lacks ${missing.join(", ")}. Back it up, start this version once, then run the doctor again: the other checks need the new tables.`,
      },
    ];
  },
};
