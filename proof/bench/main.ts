import { measureServer } from "./against/measure-server.ts";
import { readArguments } from "./arguments.ts";
import { measureFigures } from "./measure-figures.ts";
import { runCommand } from "./run-command.ts";

// `npm run bench`: docs/benchmarks.md.

await runCommand(() => {
  const command = readArguments(process.argv.slice(2), process.env);
  return command.kind === "figures" ? measureFigures(command) : measureServer(command);
});
