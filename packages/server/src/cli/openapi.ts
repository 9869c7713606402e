import { writeFile } from "node:fs/promises";
import { createOpenApiDocument } from "@weft/http";
import { describeRoutes } from "../describe-routes.ts";
import { version } from "../version.ts";
import type { Shell } from "./run-command.ts";
import { runCommand } from "./run-command.ts";

/**
 * Prints the OpenAPI document, or writes it to the given file. It is generated from a platform over an empty folder.
 */
export function run([file]: readonly string[], shell: Shell): Promise<void> {
  return runCommand(shell, async () => {
    const document = createOpenApiDocument(await describeRoutes(), { version });
    const text = `${JSON.stringify(document, null, 2)}\n`;
    if (file === undefined) shell.stdout.write(text);
    else await writeFile(file, text);
  });
}
