export { createPause } from "./create-pause.ts";
export { createLines, type Lines, type Place } from "./lines.ts";
export { lowerPriority } from "./lower-priority.ts";
export { createPlaces, type Places, type PlacesOptions } from "./places.ts";
export { serveWorker } from "./worker/serve-worker.ts";
export { createWorkerClient, type WorkerClient, WorkerEnded } from "./worker/worker-client.ts";
export { createWorkerPool, type Seat, type SeatRequest, type WorkerPool } from "./worker-pool.ts";
