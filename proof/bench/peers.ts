import { readArguments, UsageError } from "./arguments.ts";
import { measureIn } from "./measure-figures.ts";
import { runCommand } from "./run-command.ts";
import { peerScenarios } from "./scenarios/peers.ts";

// `./weft bench:peers --postgres URL [--quick] [--seconds N] [--rounds N] [--json FILE]`: docs/benchmarks.md.

await runCommand(async () => {
  const command = readArguments(process.argv.slice(2), process.env);
  if (command.kind !== "figures" || command.postgresUrl === undefined) {
    throw new UsageError("The peers are measured on PostgreSQL: give --postgres URL, and not --against.");
  }
  await measureIn(command, peerScenarios);
});
