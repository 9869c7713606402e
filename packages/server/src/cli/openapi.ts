import { createOpenApiDocument } from "@weft/http";
import { describeRoutes } from "../describe-routes.ts";
import { version } from "../version.ts";
import { runCommand } from "./run-command.ts";

/** Prints the OpenAPI document. It comes from a platform over an empty folder. */
export function run(): Promise<void> {
  return runCommand(async () => {
    const document = createOpenApiDocument(await describeRoutes(), { version });
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  });
}
