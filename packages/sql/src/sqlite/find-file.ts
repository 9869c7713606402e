import { realpath, stat } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { SqlFailure } from "../driver.ts";

/** The file that a name refers to, with links resolved. Rejects with `SqlFailure`. */
export async function findFile(file: string, filesDir: string): Promise<string> {
  if (filesDir === "") {
    throw new SqlFailure(
      "SQLite files cannot be used here. The operator names the folder they are in with SQL_FILES_DIR.",
    );
  }
  if (file.trim() === "")
    throw new SqlFailure("No SQLite file is named. Enter its name below the folder of SQL_FILES_DIR.");
  const folder = await realpath(filesDir).catch(() => undefined);
  if (folder === undefined)
    throw new SqlFailure("The folder of SQL_FILES_DIR does not exist. The operator has to make it.");
  const path = file.includes("\0") ? undefined : await realpath(resolve(folder, file.trim())).catch(() => undefined);
  const isInside = path?.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  const isFile = isInside && path !== undefined && (await stat(path).catch(() => undefined))?.isFile();
  if (path !== undefined && isFile) return path;
  // The same message whether there is nothing or something outside.
  throw new SqlFailure(`There is no file ${file.slice(0, 200)} in the folder of SQL_FILES_DIR. Correct its name.`);
}
