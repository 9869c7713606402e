/** What a reader would expect a phrasing to ask for. A list of values means that any of them is right. */
export type Paraphrase = {
  request: "list" | "fetch" | "create" | "update" | "delete";
  message: string;
  /** Arguments of the call that changes or reads the events. For an update: the fields that change, and the id. */
  expected: Record<string, string | readonly string[]>;
};

/** The date that the tests' system prompt gives, for phrasings such as "tomorrow". */
export const referenceDate = "2026-02-10T09:00:00Z";

/**
 * Written before any rule of the rehearsal model, and not changed since: the rules are not fitted to these.
 * Change neither a phrasing nor a rule because of a miss here; add phrasings to `tuning` instead.
 */
export const heldOut: readonly Paraphrase[] = [
  { request: "list", message: "List all events.", expected: {} },
  { request: "list", message: "What events do you have right now?", expected: {} },
  { request: "list", message: "Could you give me an overview of everything on the calendar?", expected: {} },
  { request: "list", message: "pull up the full list of upcoming events please", expected: {} },
  { request: "fetch", message: "Show me event 3", expected: { id: "3" } },
  {
    request: "fetch",
    message: "Get the details of the event with id 5f0c2c1e-8b57-4a0e-9f5e-1d2c3b4a5e6f",
    expected: { id: "5f0c2c1e-8b57-4a0e-9f5e-1d2c3b4a5e6f" },
  },
  { request: "fetch", message: "What do we know about event #2?", expected: { id: "2" } },
  { request: "fetch", message: "I need the record whose ID is 4, please", expected: { id: "4" } },
  {
    request: "create",
    message: "Create an event named 'Tech Conference' on 2026-05-20T09:00:00Z in Berlin",
    expected: { name: "Tech Conference", date: "2026-05-20T09:00:00Z", location: "Berlin" },
  },
  {
    request: "create",
    message: "Please add a new event: Yoga Morning, 2026-06-01 at 07:30, at Riverside Park",
    expected: { name: "Yoga Morning", date: "2026-06-01T07:30:00Z", location: "Riverside Park" },
  },
  {
    request: "create",
    message: 'I\'d like to schedule "Board Meeting" for March 3, 2026 at 5pm in the Geneva office',
    expected: {
      name: "Board Meeting",
      date: "2026-03-03T17:00:00Z",
      location: ["Geneva office", "the Geneva office"],
    },
  },
  {
    request: "create",
    message: "Set up a team lunch tomorrow at noon at Luigi's Trattoria",
    expected: {
      name: ["team lunch", "Team lunch", "Team Lunch"],
      date: "2026-02-11T12:00:00Z",
      location: "Luigi's Trattoria",
    },
  },
  {
    request: "update",
    message: "Update event 2: change the location to Madrid",
    expected: { id: "2", location: "Madrid" },
  },
  { request: "update", message: "Rename event #4 to 'Winter Gala'", expected: { id: "4", name: "Winter Gala" } },
  {
    request: "update",
    message: "Move event 1 to 2026-09-15 at 18:00",
    expected: { id: "1", date: "2026-09-15T18:00:00Z" },
  },
  {
    request: "update",
    message: 'For the event with id 5, set name to "Jazz Night", date to 2026-08-08T20:00:00Z and location to Prague',
    expected: { id: "5", name: "Jazz Night", date: "2026-08-08T20:00:00Z", location: "Prague" },
  },
  { request: "delete", message: "Delete event 3", expected: { id: "3" } },
  { request: "delete", message: "Please remove the event with ID 2", expected: { id: "2" } },
  { request: "delete", message: "Cancel event #5, it isn't happening any more", expected: { id: "5" } },
  {
    request: "delete",
    message: "Get rid of the event 1f9d7c3a-0a5b-4d5e-8c1f-2b3a4c5d6e7f",
    expected: { id: "1f9d7c3a-0a5b-4d5e-8c1f-2b3a4c5d6e7f" },
  },
];

/** Phrasings that the rules were written with in view: all must work. */
export const tuning: readonly Paraphrase[] = [
  { request: "list", message: "Show me all the events", expected: {} },
  { request: "list", message: "Which events are there?", expected: {} },
  { request: "list", message: "I'd like to see every event that is scheduled", expected: {} },
  { request: "list", message: "Can you fetch the events for me?", expected: {} },
  { request: "fetch", message: "Fetch the event with id 1", expected: { id: "1" } },
  { request: "fetch", message: "Give me the details for event 4", expected: { id: "4" } },
  {
    request: "fetch",
    message: "Look up event id: 7d444840-9dc0-11d1-b245-5ffdce74fad2",
    expected: { id: "7d444840-9dc0-11d1-b245-5ffdce74fad2" },
  },
  { request: "fetch", message: "Can you tell me when and where event 5 takes place?", expected: { id: "5" } },
  {
    request: "create",
    message: "Create a new event called Spring Festival on 2026-04-12T10:00:00Z in Central Park",
    expected: { name: "Spring Festival", date: "2026-04-12T10:00:00Z", location: "Central Park" },
  },
  {
    request: "create",
    message: 'Add an event with name "Hackathon", date 2026-03-01 at 10:00 and location Zurich',
    expected: { name: "Hackathon", date: "2026-03-01T10:00:00Z", location: "Zurich" },
  },
  {
    request: "create",
    message: "Book a workshop named 'TypeScript Basics' in Room 12 on June 5, 2026 at 2:30 pm",
    expected: { name: "TypeScript Basics", date: "2026-06-05T14:30:00Z", location: "Room 12" },
  },
  {
    request: "create",
    message: "Make an event. Name: Charity Run, date: 2026-10-03T08:00:00Z, location: Hamburg",
    expected: { name: "Charity Run", date: "2026-10-03T08:00:00Z", location: "Hamburg" },
  },
  {
    request: "update",
    message: "Update event 3 and set its location to Vienna",
    expected: { id: "3", location: "Vienna" },
  },
  {
    request: "update",
    message: "Change the date of event 2 to 2026-12-24T18:00:00Z",
    expected: { id: "2", date: "2026-12-24T18:00:00Z" },
  },
  {
    request: "update",
    message: 'Edit the event with id 1 so that its name becomes "New Year\'s Brunch"',
    expected: { id: "1", name: "New Year's Brunch" },
  },
  {
    request: "update",
    message: "Reschedule event #5 to July 9, 2026 7pm and move it to Oslo",
    expected: { id: "5", date: "2026-07-09T19:00:00Z", location: "Oslo" },
  },
  { request: "delete", message: "Delete the event with id 4", expected: { id: "4" } },
  { request: "delete", message: "Remove event #1", expected: { id: "1" } },
  { request: "delete", message: "Please erase event 2 for good", expected: { id: "2" } },
  {
    request: "delete",
    message: "I want you to drop the event with id 0b6f9e52-3f1d-4f0a-9f2c-6a1f0f4f7f11",
    expected: { id: "0b6f9e52-3f1d-4f0a-9f2c-6a1f0f4f7f11" },
  },
];
