/** What a figure is called, and what it should be. */
export type Figure = {
  title: string;
  unit: "/s" | "ms" | "MB" | "KB" | "";
  /** What stands beside it, measured in the same round; absent where nothing does. */
  baseline?: string;
  goal?: Goal;
};

/**
 * What is judged: the figure itself, how much it adds to the baseline, or its ratio to the baseline. Rates and ratios
 * should be at least `limit`, everything else at most.
 */
export type Goal = { of: "figure" | "added" | "ratio"; limit: number; isLeast: boolean };

/** Processors kept busy while a figure was measured, by who did; what adds up to the machine's cores is what limits. */
export type BusyCores = Readonly<Record<string, number>>;

/** One round's measurement of one figure. */
export type Reading = { value: number; baseline?: number; cores?: BusyCores };

/** Measures its figures together, once a round. */
export type Scenario = {
  /** What `--only` calls it. */
  name: string;
  database: "sqlite" | "postgres" | "";
  figures: readonly Figure[];
  /** Whether a short round goes ahead that does not count, so that the code under load is warm. */
  warmsUp: boolean;
  /** One reading for each of `figures`, in their order. `seconds`: how long a load lasts. */
  measure(seconds: number): Promise<readonly Reading[]>;
};

/** Sums up the rounds of a figure. */
export type Summary = {
  name: string;
  database: Scenario["database"];
  title: string;
  unit: Figure["unit"];
  /** Medians of the rounds. */
  value: number;
  baseline?: { title: string; value: number; added: number; ratio: number };
  goal?: Goal & { isMet: boolean };
  cores?: BusyCores;
  rounds: readonly Reading[];
};

/** The goal that a figure reaches at least `limit`. */
export function atLeast(limit: number, of: Goal["of"] = "figure"): Goal {
  return { of, limit, isLeast: true };
}

/** The goal that a figure stays at or below `limit`. */
export function atMost(limit: number, of: Goal["of"] = "figure"): Goal {
  return { of, limit, isLeast: false };
}

/** Medians, each of its own: the ratio is that of the rounds, not that of two medians. */
export function summarize(scenario: Scenario, figure: Figure, rounds: readonly Reading[]): Summary {
  const value = medianOf(rounds, (reading) => reading.value);
  const baseline = summarizeBaseline(figure, rounds);
  const judged = { figure: value, added: baseline?.added, ratio: baseline?.ratio }[figure.goal?.of ?? "figure"];
  const { goal } = figure;
  const isMet = (limit: number, isLeast: boolean) =>
    judged !== undefined && (isLeast ? judged >= limit : judged <= limit);
  const cores = medianCores(rounds);
  return {
    name: scenario.name,
    database: scenario.database,
    title: figure.title,
    unit: figure.unit,
    value,
    ...(baseline && { baseline }),
    ...(goal && { goal: { ...goal, isMet: isMet(goal.limit, goal.isLeast) } }),
    ...(cores && { cores }),
    rounds,
  };
}

function summarizeBaseline({ baseline: title }: Figure, rounds: readonly Reading[]): Summary["baseline"] {
  if (title === undefined) return undefined;
  const of = (read: (value: number, baseline: number) => number) =>
    medianOf(rounds, ({ value, baseline = Number.NaN }) => read(value, baseline));
  return {
    title,
    value: of((_, baseline) => baseline),
    added: of((value, baseline) => value - baseline),
    ratio: of((value, baseline) => value / baseline),
  };
}

function medianCores(rounds: readonly Reading[]): BusyCores | undefined {
  const names = Object.keys(rounds[0]?.cores ?? {});
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, medianOf(rounds, ({ cores }) => cores?.[name] ?? Number.NaN)]));
}

function medianOf(rounds: readonly Reading[], read: (reading: Reading) => number): number {
  const sorted = rounds.map(read).sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}
