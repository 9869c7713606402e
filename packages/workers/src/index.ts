export { createPause } from "./create-pause.ts";
export { createLines, type Lines, type Place } from "./lines.ts";
export { lowerPriority } from "./lower-priority.ts";
export { createPlaces, type Places, type PlacesOptions } from "./places.ts";
export { createWorkerPool, type Seat, type SeatRequest, type WorkerPool } from "./worker-pool.ts";
