import { createOpenApiDocument } from "../http/openapi.ts";
import { allRoutes, type Services } from "../routes.ts";
import { version } from "../version.ts";
import { runCommand } from "./run-command.ts";

/** Prints the OpenAPI document. The routes are only described, so that no service behind them is needed. */
await runCommand(async () => {
  const document = createOpenApiDocument(allRoutes(absentServices()), { version });
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
});

/** Services that routes can be declared over; none of their functions exists. */
function absentServices(): Services {
  const nothing: object = new Proxy({}, { get: () => nothing });
  return nothing as Services;
}
