export { lowerPriority } from "./lower-priority.ts";
export { createPlaces, type Places, type PlacesOptions } from "./places.ts";
export { createWorkerPool, type Seat, type SeatRequest, type WorkerPool } from "./worker-pool.ts";
