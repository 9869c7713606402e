import { type FiguresCommand, UsageError } from "./arguments.ts";
import type { Scenario, Summary } from "./figures/figure.ts";
import { writePicture } from "./report/draw-history.ts";
import { keepInHistory } from "./report/history.ts";
import { report } from "./report/report.ts";
import { diskScenario } from "./scenarios/disk.ts";
import { growthScenarios } from "./scenarios/growth.ts";
import { type House, openHouse } from "./scenarios/house.ts";
import { memoryScenario } from "./scenarios/memory.ts";
import { predictionScenarios } from "./scenarios/predictions.ts";
import { readScenarios } from "./scenarios/reads.ts";
import { releaseScenarios } from "./scenarios/release.ts";
import { startScenario } from "./scenarios/start.ts";
import { statementScenarios } from "./scenarios/statements.ts";

/** Measures this repository's server. Load, model servers and server are processes of their own. */
export async function measureFigures(command: FiguresCommand): Promise<void> {
  const all = command.isCheck ? releaseScenarios : (house: House) => scenariosOf(house, command);
  const summaries = await measureIn(command, (house) => choose(all(house), command));
  if (command.isCheck && summaries.some(({ goal }) => goal?.isMet === false)) process.exitCode = 1;
  if (command.only.length === 0 && !command.isQuick) {
    keepInHistory(summaries, command);
    writePicture();
  }
}

/** Reports what `choose` gives, in a house that is closed at the end, even at Ctrl-C. */
export async function measureIn(
  command: FiguresCommand,
  choose: (house: House) => readonly Scenario[],
): Promise<readonly Summary[]> {
  const house = await openHouse(command.postgresUrl);
  process.once("SIGINT", () => void house.close().finally(() => process.exit(130)));
  try {
    return await report(choose(house), command);
  } finally {
    await house.close();
  }
}

function scenariosOf(house: House, { postgresUrl, isQuick, isLong, only }: FiguresCommand): Scenario[] {
  const hasPostgres = postgresUrl !== undefined;
  const growths = hasPostgres ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);
  return [
    ...predictionScenarios(house, "sqlite"),
    ...(hasPostgres ? predictionScenarios(house, "postgres") : []),
    ...statementScenarios(house, { hasPostgres, isQuick }),
    ...readScenarios(house),
    startScenario(house),
    memoryScenario(house, isQuick),
    diskScenario(house, isQuick),
    ...(isLong || only.includes("growth") ? growths.flatMap((database) => growthScenarios(house, database)) : []),
  ];
}

function choose(scenarios: readonly Scenario[], { only, isQuick }: FiguresCommand): readonly Scenario[] {
  const unknown = only.find((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown !== undefined) throw new UsageError(`No figure is called "${unknown}".`);
  if (only.length > 0) return scenarios.filter(({ name }) => only.includes(name));
  return isQuick ? scenarios.filter((scenario) => !isLeftOut(scenario)) : scenarios;
}

/** What a quick run measures on SQLite alone, unless it is named: a minute is short on a busy machine. */
function isLeftOut({ name, database }: Scenario): boolean {
  return database === "postgres" && (name === "imported" || name === "tool");
}
