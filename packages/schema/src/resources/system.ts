import { z } from "zod";
import { timestampSchema } from "./field.ts";
import { callbackDeliverySchema } from "./trigger.ts";

const agent = {
  agentflowId: z.string(),
  agentName: z.string().nullable().meta({ description: "Null for document stores, and if the agent was deleted." }),
};

/** A process of the platform, as last announced. */
export const systemProcessSchema = z
  .object({
    id: z.string(),
    role: z.enum(["all", "api", "worker"]),
    version: z.string(),
    host: z.string().meta({ description: "Name of its machine or container." }),
    pid: z.number().int(),
    startedDate: timestampSchema,
    seenSecondsAgo: z.number().meta({
      description: "By the database's clock. A process that has not been seen for 15 seconds is left out.",
    }),
    runs: z.number().int().meta({ description: "Runs that are in this process, those in line included." }),
    maxRuns: z
      .number()
      .int()
      .nullable()
      .meta({ description: "How many of them it executes at once; null for `api`, which leaves them to others." }),
    memoryBytes: z.number().int(),
    answered: z.boolean().meta({ description: "Whether it answered this request." }),
  })
  .meta({ id: "SystemProcess" });
export type SystemProcess = z.infer<typeof systemProcessSchema>;

/** Unfinished runs of all processes. Of those that are not paused, the oldest 10,000 are counted at most. */
const systemQueueSchema = z.object({
  waiting: z.number().int().meta({ description: "Runs that have not begun, or that no process has." }),
  oldestWaitingSeconds: z.number().meta({ description: "Age of the oldest of them; 0 without any." }),
  running: z.number().int(),
  paused: z.number().int().meta({ description: "Runs that wait for a person, a signal or a later moment." }),
  agents: z
    .array(z.object({ ...agent, waiting: z.number().int(), running: z.number().int() }))
    .meta({ description: "The ten agents with the most waiting runs, then with the most running ones." }),
});
export type SystemQueue = z.infer<typeof systemQueueSchema>;

/** Runs that continued in another process because theirs was gone. */
const takeOversSchema = z.object({
  runs: z.number().int().meta({ description: "Taken over and changed last within 24 hours." }),
  latest: z
    .object({ executionId: z.string(), ...agent, updatedDate: timestampSchema })
    .nullable()
    .meta({ description: "The one of them that changed last." }),
});

const systemDatabaseSchema = z.object({
  dialect: z.enum(["sqlite", "postgres"]),
  version: z.string(),
  sizeBytes: z.number().int(),
  latencyMs: z.number().meta({ description: "Time of the smallest query there is, from this process." }),
  connections: z
    .object({ used: z.number().int(), limit: z.number().int() })
    .nullable()
    .meta({ description: "Of the whole PostgreSQL server; null with SQLite." }),
});
export type SystemDatabase = z.infer<typeof systemDatabaseSchema>;

const vectorIndexSchema = z
  .object({
    memoryBytes: z.number().int(),
    limitBytes: z.number().int().meta({ description: "`VECTOR_MEMORY`." }),
    collections: z.number().int().meta({ description: "Embedded collections that are in memory." }),
    loading: z
      .object({ done: z.number().int(), total: z.number().int() })
      .nullable()
      .meta({ description: "Vectors that are there of collections that are being read; null while none is." }),
  })
  .meta({
    description:
      "Vectors in the memory of the process that answers. They are read by the first question after a start, and given back after an hour without one.",
  });
export type VectorIndex = z.infer<typeof vectorIndexSchema>;

const failingCallbackSchema = callbackDeliverySchema
  .omit({ url: true, createdDate: true })
  .extend({ ...agent, host: z.string().meta({ description: "Of the address, whose other parts may be secret." }) })
  .meta({ id: "FailingCallback" });
export type FailingCallback = z.infer<typeof failingCallbackSchema>;

export const redisStateSchema = z.enum(["off", "connected", "unreachable"]);
export type RedisState = z.infer<typeof redisStateSchema>;

/** Operational data of a running installation. */
export const systemSchema = z
  .object({
    processes: z.array(systemProcessSchema).meta({ description: "In the order in which they started." }),
    queue: systemQueueSchema,
    takeOvers: takeOversSchema,
    database: systemDatabaseSchema,
    redis: redisStateSchema.meta({
      description: "As the process sees it that answers; `off`: `REDIS_URL` is not set.",
    }),
    disk: z.object({ freeBytes: z.number().int(), usedBytes: z.number().int() }).nullable().meta({
      description: "The file system with the data folder of the process that answers; null if it cannot tell.",
    }),
    vectorIndex: vectorIndexSchema,
    callbacks: z.object({
      failing: z.number().int().meta({ description: "How many there are; 1,000 are counted at most." }),
      list: z.array(failingCallbackSchema).meta({
        description: "Up to 50: those that are tried again, the next one first, then those that were given up.",
      }),
    }),
  })
  .meta({
    id: "System",
    examples: [
      {
        processes: [
          {
            id: "7d1f0c52-9e7b-4c1c-8b9d-2f6a5e4d3c2b",
            role: "all",
            version: "0.2.0",
            host: "weft-1",
            pid: 4711,
            startedDate: "2025-01-31T08:00:00.000Z",
            seenSecondsAgo: 1.2,
            runs: 3,
            maxRuns: 128,
            memoryBytes: 146_800_640,
            answered: true,
          },
        ],
        queue: {
          waiting: 2,
          oldestWaitingSeconds: 1.5,
          running: 3,
          paused: 1,
          agents: [
            { agentflowId: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f", agentName: "Weather", waiting: 2, running: 3 },
          ],
        },
        takeOvers: { runs: 0, latest: null },
        database: { dialect: "sqlite", version: "3.51.0", sizeBytes: 1_048_576, latencyMs: 0.1, connections: null },
        redis: "off",
        disk: { freeBytes: 52_428_800_000, usedBytes: 10_485_760_000 },
        vectorIndex: { memoryBytes: 159_383_552, limitBytes: 536_870_912, collections: 3, loading: null },
        callbacks: { failing: 0, list: [] },
      },
    ],
  });
export type System = z.infer<typeof systemSchema>;
