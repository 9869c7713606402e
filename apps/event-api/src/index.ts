export type { Event, EventInput } from "./event.ts";
export { createEventApi, type EventApi } from "./event-api.ts";
export { eventApiDocument } from "./event-api-document.ts";
export { seedEvents } from "./seed-events.ts";
