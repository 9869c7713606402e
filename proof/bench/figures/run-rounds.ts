import { type Reading, type Scenario, type Summary, summarize } from "./figure.ts";

export type Rounds = {
  rounds: number;
  /** How long each load of a round lasts. */
  seconds: number;
  /** Told what is measured now. */
  say(text: string): void;
};

/** How much of a round the one before the first takes. */
const warmUpShare = 0.1;

/** Measures every scenario once a round, so that whatever else the machine does hits all of them alike. */
export async function runRounds(
  scenarios: readonly Scenario[],
  { rounds, seconds, say }: Rounds,
): Promise<readonly Summary[]> {
  const readings = new Map<Scenario, (readonly Reading[])[]>();
  for (const scenario of scenarios.filter(({ warmsUp }) => warmsUp)) {
    say(`warming up: ${titleOf(scenario)}`);
    await scenario.measure(seconds * warmUpShare);
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const scenario of scenarios) {
      say(`round ${round} of ${rounds}: ${titleOf(scenario)}`);
      const known = readings.get(scenario) ?? [];
      readings.set(scenario, [...known, await scenario.measure(seconds)]);
    }
  }
  return scenarios.flatMap((scenario) =>
    scenario.figures.map((figure, index) => {
      const ofFigure = readings.get(scenario)?.flatMap((reading) => reading[index] ?? []) ?? [];
      return summarize(scenario, figure, ofFigure);
    }),
  );
}

function titleOf({ name, database }: Scenario): string {
  return database === "" ? name : `${name} on ${database}`;
}
