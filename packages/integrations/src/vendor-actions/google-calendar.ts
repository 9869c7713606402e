import { effectOfMethod, type Json, type JsonObject } from "@weft/schema";
import {
  type ActionArguments,
  ArgumentError,
  bodyOf,
  choice,
  count,
  defineVendor,
  flag,
  listOf,
  segment,
  text,
  type VendorAction,
} from "./define-vendor.ts";
import { oAuth } from "./sign-in.ts";

const calendarId = text("Id of the calendar. Default primary, the person's own.");
const eventId = text("Id of the event.");
const eventFields = {
  summary: text("The title."),
  description: text("What the event is about."),
  location: text("Where it takes place."),
  startDateTime: text("When it starts, such as 2026-05-04T09:00:00+02:00."),
  endDateTime: text("When it ends, in the same form."),
  timeZone: text(
    "Time zone of the times, such as Europe/Madrid. Needed where they name no offset, and for repetition.",
  ),
  allDay: flag("Whether it takes whole days: then startDate and endDate count."),
  startDate: text("The first day, such as 2026-05-04."),
  endDate: text("The day after the last one. Default the day after startDate."),
  attendees: text("Mail addresses of the guests, with commas between them."),
  sendUpdates: choice("Who is told by mail. Default none.", ["all", "externalOnly", "none"]),
  recurrence: text("How it repeats: rules of RFC 5545 such as RRULE:FREQ=WEEKLY;COUNT=5, one on each line."),
  reminderMinutes: {
    type: "integer",
    description: "Minutes before the start of a reminder.",
    minimum: 0,
    maximum: 40_320,
  },
  visibility: choice("Who sees its details.", ["default", "public", "private", "confidential"]),
};
const calendarFields = {
  summary: text("Name of the calendar."),
  description: text("What the calendar is for."),
  location: text("Place that it is about."),
  timeZone: text("Its time zone, such as Europe/Madrid."),
};

/** Limits responses to the event fields that a reader needs. */
const shown =
  "id,status,summary,description,location,start,end,attendees(email,responseStatus),organizer(email),recurrence,recurringEventId,hangoutLink,htmlLink";

const calendarOf = ({ calendarId: id = "primary" }: ActionArguments) => `/calendars/${segment(id)}`;
const eventOf = (args: ActionArguments) => `${calendarOf(args)}/events/${segment(args.eventId)}`;

function toEvent(args: ActionArguments): JsonObject {
  const { summary, description, location, attendees, recurrence, reminderMinutes: minutes, visibility } = args;
  return bodyOf({
    summary,
    description,
    location,
    visibility,
    ...toTimes(args),
    attendees: attendees === undefined ? undefined : listOf(attendees).map((email) => ({ email })),
    recurrence: recurrence === undefined ? undefined : toRules(recurrence),
    reminders: minutes === undefined ? undefined : { useDefault: false, overrides: [{ method: "popup", minutes }] },
  });
}

/** A change from times to days, or back, clears the previous ones. */
function toTimes({ eventId: changed, allDay, ...args }: ActionArguments) {
  const { startDate, endDate, startDateTime, endDateTime, timeZone } = args;
  const other = allDay === true ? "dateTime" : "date";
  const cleared = changed === undefined ? {} : { [other]: null };
  if (allDay === true) {
    const toDay = (date: Json | undefined) => (date ? { date, ...cleared } : undefined);
    return { start: toDay(startDate), end: toDay(endDate || (startDate && dayAfter(startDate))) };
  }
  const toTime = (dateTime: Json | undefined) => (dateTime ? bodyOf({ dateTime, timeZone, ...cleared }) : undefined);
  return { start: toTime(startDateTime), end: toTime(endDateTime) };
}

function dayAfter(date: Json): string {
  const start = Date.parse(`${String(date)}T00:00:00Z`);
  if (Number.isNaN(start))
    throw new ArgumentError(`Nothing was called: "${String(date)}" is no day such as 2026-05-04.`);
  return new Date(start + 86_400_000).toISOString().slice(0, 10);
}

function toRules(recurrence: Json): string[] {
  const lines = String(recurrence).split(/[\r\n]+/);
  return lines.filter((line) => line.trim() !== "").map((line) => line.trim().replace(/^(?=FREQ=)/i, "RRULE:"));
}

const events: Record<string, VendorAction> = {
  listEvents: {
    description: "Lists the events of a calendar.",
    effect: "read",
    parameters: {
      calendarId,
      timeMin: text("Events that end after this time, such as 2026-05-04T00:00:00Z."),
      timeMax: text("Events that start before this time."),
      maxResults: count("How many to list. Default 50.", 2_500),
      singleEvents: flag("Whether each occurrence of a repeated event is listed by itself. Default true."),
      orderBy: choice("startTime needs singleEvents.", ["startTime", "updated"]),
      query: text("Words to search for."),
    },
    required: [],
    toRequest: ({ query: q, maxResults = 50, singleEvents = true, timeMin, timeMax, orderBy, ...args }) => ({
      method: "GET",
      path: `${calendarOf(args)}/events`,
      query: {
        q,
        maxResults,
        singleEvents,
        timeMin,
        timeMax,
        orderBy,
        fields: `nextPageToken,timeZone,items(${shown})`,
      },
    }),
  },
  createEvent: {
    description: "Creates an event.",
    effect: "write",
    parameters: { calendarId, ...eventFields },
    required: ["summary"],
    toRequest(args) {
      const body = toEvent(args);
      if (body.start === undefined || body.end === undefined) {
        throw new ArgumentError(
          "Nothing was called: an event needs startDateTime and endDateTime, or allDay with startDate.",
        );
      }
      const query = { sendUpdates: args.sendUpdates, fields: shown };
      return { method: "POST", path: `${calendarOf(args)}/events`, query, body };
    },
  },
  getEvent: {
    description: "Reads an event.",
    effect: "read",
    parameters: { calendarId, eventId },
    required: ["eventId"],
    toRequest: (args) => ({ method: "GET", path: eventOf(args) }),
  },
  updateEvent: {
    description: "Changes what is given of an event. Attendees are replaced by the new list.",
    effect: "write",
    parameters: { calendarId, eventId, ...eventFields },
    required: ["eventId"],
    toRequest: (args) => ({
      method: "PATCH",
      path: eventOf(args),
      query: { sendUpdates: args.sendUpdates, fields: shown },
      body: toEvent(args),
    }),
  },
  deleteEvent: {
    description: "Deletes an event.",
    effect: "destructive",
    parameters: { calendarId, eventId },
    required: ["eventId"],
    toRequest: (args) => ({ method: "DELETE", path: eventOf(args) }),
  },
  quickAddEvent: {
    description: "Creates an event from a sentence.",
    effect: "write",
    parameters: { calendarId, quickAddText: text("What and when, such as Lunch with Ana on Friday at noon.") },
    required: ["quickAddText"],
    toRequest: (args) => ({
      method: "POST",
      path: `${calendarOf(args)}/events/quickAdd`,
      query: { text: args.quickAddText, fields: shown },
    }),
  },
};

/** An action on one named calendar. */
function onCalendar(description: string, method: "GET" | "DELETE"): VendorAction {
  return {
    description,
    effect: effectOfMethod(method),
    parameters: { calendarId: text("Id of the calendar.") },
    required: ["calendarId"],
    toRequest: (args) => ({ method, path: calendarOf(args) }),
  };
}

function toCalendar({ summary, description, location, timeZone }: ActionArguments): JsonObject {
  return bodyOf({ summary, description, location, timeZone });
}

const calendars: Record<string, VendorAction> = {
  listCalendars: {
    description: "Lists the calendars of the person.",
    effect: "read",
    parameters: {
      showHidden: flag("Whether hidden ones are listed, too."),
      minAccessRole: choice("Only those where the person has at least this right.", [
        "freeBusyReader",
        "reader",
        "writer",
        "owner",
      ]),
    },
    required: [],
    toRequest: ({ showHidden, minAccessRole }) => ({
      method: "GET",
      path: "/users/me/calendarList",
      query: {
        showHidden,
        minAccessRole,
        maxResults: 250,
        fields: "nextPageToken,items(id,summary,description,location,timeZone,accessRole,primary)",
      },
    }),
  },
  createCalendar: {
    description: "Creates a calendar.",
    effect: "write",
    parameters: calendarFields,
    required: ["summary"],
    toRequest: (args) => ({ method: "POST", path: "/calendars", body: toCalendar(args) }),
  },
  getCalendar: onCalendar("Reads what a calendar is called and about.", "GET"),
  updateCalendar: {
    description: "Changes what is given of a calendar.",
    effect: "write",
    parameters: { calendarId: text("Id of the calendar."), ...calendarFields },
    required: ["calendarId"],
    toRequest: (args) => ({ method: "PATCH", path: calendarOf(args), body: toCalendar(args) }),
  },
  deleteCalendar: onCalendar("Deletes a calendar with all its events.", "DELETE"),
  clearCalendar: {
    ...onCalendar("Deletes all events of a person's primary calendar.", "DELETE"),
    toRequest: (args) => ({ method: "POST", path: `${calendarOf(args)}/clear` }),
  },
};

const freeBusy: VendorAction = {
  description: "Says when calendars are busy.",
  effect: "read",
  parameters: {
    timeMin: text("Start of the time in question, such as 2026-05-04T00:00:00Z."),
    timeMax: text("Its end."),
    calendarIds: text("Ids of the calendars, with commas between them. Default primary."),
    groupExpansionMax: count("Most calendars of one group.", 100),
    calendarExpansionMax: count("Most calendars in all.", 50),
  },
  required: ["timeMin", "timeMax"],
  toRequest: ({ timeMin, timeMax, calendarIds = "primary", groupExpansionMax, calendarExpansionMax }) => ({
    method: "POST",
    path: "/freeBusy",
    body: bodyOf({
      timeMin,
      timeMax,
      groupExpansionMax,
      calendarExpansionMax,
      items: listOf(calendarIds).map((id) => ({ id })),
    }),
  }),
};

/** A person's events and calendars. Source: developers.google.com/workspace/calendar/api/v3/reference. */
export const googleCalendar = defineVendor({
  type: "google-calendar",
  title: "Google Calendar",
  summary: "Reads, makes and changes events and calendars, and says who is free.",
  icon: "calendar",
  prefix: "google_calendar",
  address: { url: "https://www.googleapis.com/calendar/v3" },
  signIn: oAuth("googleCalendarOAuth2", "https://oauth2.googleapis.com/token"),
  actions: { ...events, ...calendars, queryFreebusy: freeBusy },
});
