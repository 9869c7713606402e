export { readModelCall } from "./model-call.tsx";
export { RunTimeline } from "./run-timeline.tsx";
export { waitedForPeopleMs } from "./time-scale.ts";
