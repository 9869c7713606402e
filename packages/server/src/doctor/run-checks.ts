import { checks as allChecks } from "./checks.ts";
import { schemaCheck } from "./schema-check.ts";
import type { Check, CheckDeps, Notice } from "./space-check.ts";

/** A notice and the check that it comes from. */
export type Finding = Notice & { check: string };

/**
 * What all checks have to say; only what the schema's has where that is not of this version. A check that fails is a
 * notice and keeps no other from running.
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
