export { createLines, createPause, createPlaces, type Lines, type Place } from "./places.ts";
export { lowerPriority, serveWorker } from "./worker/serve-worker.ts";
export { createWorkerClient, type WorkerClient, WorkerEnded } from "./worker/worker-client.ts";
export { createWorkerPool, type Seat } from "./worker-pool.ts";
