export { createLines, createPause, createPlaces, type Lines, type Place } from "./places.ts";
export { createShareQueue } from "./share-queue.ts";
export { lowerPriority } from "./worker/lower-priority.ts";
export { type FromWorker, serveWorker, type ToWorker } from "./worker/serve-worker.ts";
export { threadEnvironment } from "./worker/thread-environment.ts";
export { createWorkerClient, type WorkerClient, WorkerEnded } from "./worker/worker-client.ts";
export { createWorkerPool, type Seat } from "./worker-pool.ts";
