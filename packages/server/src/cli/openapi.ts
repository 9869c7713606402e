import { allRoutes, type Services } from "../app.ts";
import { createOpenApiDocument } from "../http/openapi.ts";
import { version } from "../version.ts";
import { runCommand } from "./run-command.ts";

/** Prints the OpenAPI document. The routes are only described, so that no service behind them is needed. */
await runCommand(async () => {
  const document = createOpenApiDocument(allRoutes(undescribedServices()), { version });
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
});

/** Services that routes can be declared over; none of their functions exists. */
function undescribedServices(): Services {
  const nothing: object = new Proxy({}, { get: () => nothing });
  return nothing as Services;
}
