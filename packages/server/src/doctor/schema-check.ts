import { listSchemaChanges, migrations, unknownChanges } from "@weft/database";
import type { Check } from "./space-check.ts";

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
