import assert from "node:assert/strict";
import { it } from "node:test";
import { toTable } from "../report/table.ts";
import { atLeast, atMost, type Figure, type Scenario, summarize } from "./figure.ts";
import { runRounds } from "./run-rounds.ts";

const latency: Figure = { title: "latency", unit: "ms", baseline: "direct", goal: atMost(1.5, "added") };
const rate: Figure = { title: "rate", unit: "/s", baseline: "pings", goal: atLeast(0.9, "ratio") };

function scenario(figures: Figure[], measure: Scenario["measure"]): Scenario {
  return { name: "s", database: "sqlite", warmsUp: false, figures, measure };
}

it("takes the median of each round's difference and ratio", () => {
  const rounds = [
    { value: 4, baseline: 1 },
    { value: 2, baseline: 1 },
    { value: 9, baseline: 8 },
  ];
  const summary = summarize(
    scenario([latency], async () => []),
    latency,
    rounds,
  );
  assert.equal(summary.value, 4);
  assert.deepEqual(summary.baseline, { title: "direct", value: 1, added: 1, ratio: 2 });
  assert.equal(summary.goal?.isMet, true);
});

it("judges ratios, differences and figures, and says so in the table", () => {
  const plain: Figure = { title: "memory", unit: "MB", goal: atMost(100) };
  const figures = [rate, latency, plain];
  const readings = [{ value: 80, baseline: 100 }, { value: 3, baseline: 1 }, { value: 100 }];
  const all = scenario(figures, async () => []);
  const summaries = figures.map((figure, index) => summarize(all, figure, readings.slice(index, index + 1)));
  assert.deepEqual(
    summaries.map(({ goal }) => goal?.isMet),
    [false, false, true],
  );
  const [, ...rows] = toTable(summaries).split("\n");
  assert.match(rows[0] ?? "", /SQLite: rate +80\.0\/s +0\.80 × {2}pings 100\/s +≥ 0\.9 × +MISSED/);
  assert.match(rows[1] ?? "", /latency +3\.00 ms +\+2\.00 ms {2}direct 1\.00 ms +≤ \+1\.5 ms +MISSED/);
  assert.match(rows[2] ?? "", /memory +100 MB +≤ 100 MB +met/);
});

it("measures all scenarios in each round, after a round for those that warm up", async () => {
  const order: string[] = [];
  const noting = (name: string, warmsUp: boolean): Scenario => ({
    ...scenario([rate], async (seconds) => {
      order.push(`${name} ${seconds}`);
      return [{ value: order.length, baseline: 1 }];
    }),
    warmsUp,
  });
  const summaries = await runRounds([noting("a", true), noting("b", false)], { rounds: 2, seconds: 10, say: () => {} });
  assert.deepEqual(order, ["a 1", "a 10", "b 10", "a 10", "b 10"]);
  assert.deepEqual(
    summaries.map(({ value, rounds }) => [value, rounds.length]),
    [
      [3, 2],
      [4, 2],
    ],
  );
});
