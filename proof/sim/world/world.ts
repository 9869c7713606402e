import { createHash } from "node:crypto";
import type { CompiledFlow } from "@weft/engine";
import type { Role } from "@weft/run-host";
import { createRandom, type Random } from "../../chaos/house/random.ts";
import { type Facts, noFacts } from "../facts.ts";
import type { Plant } from "../plants.ts";
import { createSharedDatabase, type SharedDatabase } from "./database.ts";
import { createOutside, type Outside } from "./outside.ts";
import { openPostgres } from "./postgres.ts";
import { createSimProcess, type SimProcess } from "./process.ts";
import { installVirtualTime, type VirtualTime } from "./virtual-time.ts";

/** Versions of agents, as every process reads them. */
export type Agents = {
  /** The newest version's id; undefined for one that was deleted. */
  current(agentId: string): string | undefined;
  flowOf(versionId: string): CompiledFlow | undefined;
};

/** Everything that a seed decides. */
export type World = {
  time: VirtualTime;
  random: Random;
  database: SharedDatabase;
  outside: Outside;
  agents: Agents;
  processes: readonly SimProcess[];
  facts: Facts;
  plant: Plant | undefined;
  /** Clients ask for nothing new, and nothing is broken any more. */
  isQuiet: boolean;
  /** Nothing starts any more. */
  isOver: boolean;
  newId(): string;
  /** Writes the history. `runId`: whom it is about. `atMs`: default now. */
  note(text: string, runId?: string, atMs?: number): void;
  violation(text: string, runId?: string): void;
  /** Runs whose streams are being read. */
  openStreams: Set<string>;
  violations: { atMs: number; text: string; runId: string | undefined }[];
  history: { atMs: number; text: string; runId: string | undefined }[];
  /** Of the history until now. */
  hash(): string;
  close(): void;
};

export type WorldOptions = { seed: number; processes: number; plant?: Plant | undefined };

/** One that does both, then in turn those that serve and those that work. */
const roles: readonly Role[] = ["all", "worker", "api", "worker", "all", "api"];

export async function createWorld({ seed, processes, plant }: WorldOptions): Promise<World> {
  const postgres = await openPostgres();
  postgres.empty();
  const random = createRandom(seed);
  // What the code under test draws does not change what happens to it.
  const time = installVirtualTime(createRandom(seed + 1).next);
  const hash = createHash("sha256");
  const members: SimProcess[] = [];
  let ids = 0;
  const facts = noFacts();
  const database = createSharedDatabase({ postgres, time, random, facts, ...plant });
  const world: World = {
    time,
    random,
    database,
    outside: createOutside({ time, random, plant }),
    agents: {
      current: (agentId) => facts.agents.get(agentId)?.at(-1),
      flowOf: (versionId) => facts.versions.get(versionId),
    },
    processes: members,
    facts,
    plant,
    isQuiet: false,
    isOver: false,
    newId() {
      ids += 1;
      return `00000000-0000-7000-8000-${String(ids).padStart(12, "0")}`;
    },
    note(text, runId, atMs = time.now()) {
      world.history.push({ atMs, text, runId });
      hash.update(`${atMs} ${runId ?? ""} ${text}\n`);
    },
    violation(text, runId) {
      world.note(`VIOLATION ${text}`, runId);
      world.violations.push({ atMs: time.now(), text, runId });
    },
    openStreams: new Set(),
    violations: [],
    history: [],
    hash: () => hash.copy().digest("hex").slice(0, 16),
    close() {
      world.isOver = true;
      time.uninstall();
    },
  };
  for (let index = 0; index < processes; index += 1) {
    const role = roles[index % roles.length] ?? "all";
    members.push(createSimProcess(world, `p${index + 1}-${role}`, role));
  }
  return world;
}
