import type { Check } from "./check.ts";
import { byStore, countVectors, findOrphans } from "./orphans.ts";

/** Vectors whose loader was deleted: no search returns them, and they stay until someone removes them. */
export const orphansCheck: Check = {
  name: "document-stores",
  async run({ read }) {
    return byStore(await findOrphans(read)).map(({ id, name, vectors }) => ({
      message: `The document store "${name}" (${id}) holds ${countVectors(vectors)} of deleted loaders, which no search returns. npm run -s doctor -- --fix removes them; with SQLite, stop the server first.`,
      resource: { type: "document-store", id, name },
    }));
  },
};
