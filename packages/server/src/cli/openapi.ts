import { createOpenApiDocument } from "@weft/http";
import { absentServices } from "../absent-services.ts";
import { allRoutes } from "../routes.ts";
import { version } from "../version.ts";
import { runCommand } from "./run-command.ts";

/** Prints the OpenAPI document. The routes are only described, so that no service behind them is needed. */
await runCommand(async () => {
  const document = createOpenApiDocument(allRoutes(absentServices()), { version });
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
});
