import { measureServer } from "./against/measure-server.ts";
import { readArguments, UsageError, usage } from "./arguments.ts";
import { measureFigures } from "./measure-figures.ts";
import { BenchError } from "./report/bench-error.ts";

// `npm run bench`: see docs/benchmarks.md. Ends with status 1 when it cannot measure, and with 0 whether or not goals are met.

try {
  const command = readArguments(process.argv.slice(2), process.env);
  await (command.kind === "figures" ? measureFigures(command) : measureServer(command));
} catch (error) {
  process.exitCode = 1;
  if (error instanceof UsageError) console.error(`${error.message}\n\n${usage}`);
  else if (error instanceof BenchError) console.error(error.message);
  else console.error(error);
}
