import type { Event } from "./event.ts";

/** The five events that every event API starts with. */
export const seedEvents: readonly Event[] = [
  { id: "1", name: "Spring Engineering Meetup", date: "2026-04-16T18:00:00Z", location: "Berlin, Germany" },
  { id: "2", name: "Open Data Conference", date: "2026-05-07T09:00:00Z", location: "Toronto, Canada" },
  { id: "3", name: "Jazz by the River", date: "2026-06-20T19:30:00Z", location: "Lyon, France" },
  { id: "4", name: "Robotics Workshop", date: "2026-09-11T10:00:00Z", location: "Osaka, Japan" },
  { id: "5", name: "Charity Half Marathon", date: "2026-10-04T07:30:00Z", location: "Cape Town, South Africa" },
];
