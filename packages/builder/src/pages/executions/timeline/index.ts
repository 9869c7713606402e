export { isCutStep } from "./row-details.tsx";
export { RunTimeline } from "./run-timeline.tsx";
export { waitedForPeopleMs } from "./time-scale.ts";
