import { globSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import budget from "../../scripts/tests/budget.json" with { type: "json" };
import { measureSpeedMs } from "../../scripts/tests/measure-speed.ts";
import type { Attack } from "./house/define-attack.ts";
import { TooSlowError } from "./house/hold-answers.ts";
import { type OpenHouse, openHouse } from "./house/open-house.ts";
import { type Pulse, startPulse } from "./house/start-pulse.ts";

/**
 * Attacks a real server in every way that is known: `./weft attack [--short] [--bound-ms 50] [WORD …]`. Each attack plants canaries,
 * values that must not get out, and says what proves that it reached the place where it could have worked. Meanwhile the
 * server is pinged every 10 ms: the slowest answer may take `--bound-ms` more than the slowest of the idle server in this run; by default
 * 50 ms on a machine as fast as that of the tests' budget, and longer on a slower one, as a piece of work in this process tells.
 * A maximum beyond the bound, and a caller who waited too long, are measured again, twice, because other programs share the machine.
 * Exits with 1 when an attack succeeds.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: "boolean", default: false }, "bound-ms": { type: "string" } },
});
const tries = 3;
const idleSeconds = 3;

type Named = { file: string; attack: Attack };
type Outcome = { isHeld: boolean; isSlow?: boolean; evidence: string; maxMs: number };

const root = fileURLToPath(new URL(".", import.meta.url));
const startedAt = performance.now();
const attacks = await readAttacks();
const broken: string[] = [];
for (const [env, group] of groupByHouse(attacks)) broken.push(...(await attackHouse(env, group)));
const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
console.log(`\n${attacks.length - broken.length} of ${attacks.length} attacks failed as they should, in ${seconds} s.`);
// Again, since of a long log only the end may be kept.
for (const line of broken.slice(0, 20)) console.log(line);
process.exitCode = broken.length === 0 && attacks.length > 0 ? 0 : 1;

async function readAttacks(): Promise<Named[]> {
  const files = globSync("**/*.attack.ts", { cwd: root }).sort();
  const named = await Promise.all(
    files.map(async (file) => {
      const module = (await import(pathToFileURL(`${root}${file}`).href)) as {
        attack?: Attack;
        attacks?: readonly Attack[];
      };
      return [...(module.attacks ?? []), ...(module.attack ? [module.attack] : [])].map((attack) => ({ file, attack }));
    }),
  );
  return named
    .flat()
    .filter(
      ({ file, attack }) =>
        !(values.short && attack.isLong) &&
        (positionals.length === 0 || positionals.some((word) => file.includes(word))),
    );
}

/** Attacks on servers of the same settings follow each other. */
function groupByHouse(all: readonly Named[]): Map<string, Named[]> {
  return Map.groupBy(all, ({ attack }) => JSON.stringify(attack.env ?? {}));
}

/** Resolves with a line for each attack that succeeded. */
async function attackHouse(env: string, group: readonly Named[]): Promise<string[]> {
  const house = await openHouse(JSON.parse(env));
  const pulse = await startPulse(house.platform.url);
  try {
    await pause(500);
    await pulse.take();
    await pause(idleSeconds * 1_000);
    const idle = await pulse.take();
    const limitMs = idle.maxMs + (values["bound-ms"] === undefined ? quietBoundMs() : Number(values["bound-ms"]));
    console.log(
      `\nserver with ${env}: idle, slowest of ${idle.count} pings ${idle.maxMs.toFixed(1)} ms; limit ${limitMs.toFixed(0)} ms`,
    );
    const broken: string[] = [];
    for (const { file, attack } of group) {
      const { isHeld, evidence, maxMs } = await hold(house, pulse, { attack, limitMs });
      if (!isHeld) broken.push(`BROKEN ${attack.name} (${file}): ${evidence.slice(0, 300)}`);
      console.log(`${isHeld ? "held  " : "BROKEN"} ${maxMs.toFixed(0).padStart(5)} ms  ${attack.name} (${file})`);
      console.log(`                 ${evidence}`);
    }
    return broken;
  } finally {
    await pulse.stop();
    await house.close();
  }
}

function quietBoundMs(): number {
  return 50 * Math.max(1, measureSpeedMs() / budget.speedMs);
}

/** Repeats an attack while the server's slowest answer is beyond the limit. */
async function hold(house: OpenHouse, pulse: Pulse, { attack, limitMs }: { attack: Attack; limitMs: number }) {
  let outcome: Outcome = { isHeld: false, evidence: "", maxMs: 0 };
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    outcome = await attackOnce(house, pulse, attack);
    if (!outcome.isSlow && (!outcome.isHeld || outcome.maxMs <= limitMs)) return outcome;
  }
  if (!outcome.isHeld) return outcome;
  const evidence = `The slowest ping took more than ${limitMs.toFixed(0)} ms in ${tries} attempts. ${outcome.evidence}`;
  return { ...outcome, isHeld: false, evidence };
}

async function attackOnce(open: OpenHouse, pulse: Pulse, attack: Attack): Promise<Outcome> {
  const { house, settle } = open.enter();
  await pulse.take();
  let evidence = "";
  let isHeld = true;
  let isSlow = false;
  try {
    evidence = await attack.run(house);
  } catch (error) {
    isHeld = false;
    isSlow = error instanceof TooSlowError;
    evidence = toText(error);
  }
  const { maxMs, failed } = await pulse.take();
  try {
    await settle();
  } catch (error) {
    isHeld = false;
    isSlow = false;
    evidence = `${toText(error)} ${evidence}`;
  }
  if (failed.length > 0) {
    const causes = [...new Set(failed)].join(", ");
    return { isHeld: false, evidence: `${failed.length} pings were not answered (${causes}). ${evidence}`, maxMs };
  }
  return { isHeld, isSlow, evidence, maxMs };
}

function toText(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 1_000) : String(error);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
