import { stat } from "node:fs/promises";
import type { Check } from "./check.ts";

/** Whether others on this machine can look into the data folder, which holds the keys. */
export const dataFolderCheck: Check = {
  name: "data-folder",
  async run({ config: { dataDir } }) {
    if (process.platform === "win32") return [];
    const { mode } = await stat(dataDir);
    if ((mode & 0o007) === 0) return [];
    return [
      {
        message: `Every user of this machine can look into the data folder ${dataDir}. They cannot read the files in it, but they see their names. Close it: chmod 700 ${dataDir}.`,
      },
    ];
  },
};
