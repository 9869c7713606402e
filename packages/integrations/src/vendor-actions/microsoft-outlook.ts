import { effectOfMethod, type Json, type JsonObject } from "@weft/schema";
import {
  type ActionArguments,
  ArgumentError,
  bodyOf,
  count,
  defineVendor,
  flag,
  listOf,
  segment,
  text,
  type VendorAction,
} from "./define-vendor.ts";
import { isHtml } from "./mime-message.ts";
import { oAuth } from "./sign-in.ts";

const calendarId = text("Id of the calendar.");
const eventId = text("Id of the event.");
const messageId = text("Id of the message.");
const destinationFolderId = text("Id of the folder, or its name such as inbox, archive, drafts or deleteditems.");
const maxResults = count("How many to list. Default 50.", 1_000);
const subject = text("The subject.");
const eventFields = {
  subject,
  body: text("What the event is about, plain or as HTML."),
  startDateTime: text("When it starts, such as 2026-05-04T09:00:00."),
  endDateTime: text("When it ends, in the same form."),
  timeZone: text("Time zone of the times, such as Europe/Madrid. Default UTC."),
  location: text("Where it takes place."),
  attendees: text("Mail addresses of the guests, with commas between them."),
};
const mail = {
  to: text("Addresses of the recipients, with commas between them."),
  subject,
  body: text("The text, plain or as HTML."),
  cc: text("Addresses that get a copy, with commas between them."),
  bcc: text("Addresses that get a copy unseen by the others."),
};
const mailNeeds = ["to", "subject", "body"];

const shownEvent = "id,subject,start,end,location,attendees,organizer,isAllDay,isCancelled,bodyPreview,webLink";
const shownMessage = "id,subject,from,toRecipients,receivedDateTime,isRead,hasAttachments,bodyPreview,webLink";
/** Requests bodies as text, which is shorter than the HTML of mails. */
const asText = { prefer: 'outlook.body-content-type="text"' };

const calendarOf = ({ calendarId: id }: ActionArguments) => `/me/calendars/${segment(id)}`;
const eventOf = (args: ActionArguments) => `/me/events/${segment(args.eventId)}`;
const messageOf = (args: ActionArguments) => `/me/messages/${segment(args.messageId)}`;

function toBody(content: Json | undefined): JsonObject | undefined {
  const written = String(content ?? "");
  return written === "" ? undefined : { contentType: isHtml(written) ? "html" : "text", content: written };
}

function toRecipients(addresses: Json | undefined): JsonObject[] | undefined {
  const recipients = listOf(addresses).map((address) => ({ emailAddress: { address } }));
  return recipients.length === 0 ? undefined : recipients;
}

function toMessage({ to, subject: title, body, cc, bcc }: ActionArguments): JsonObject {
  return bodyOf({
    subject: title,
    body: toBody(body),
    toRecipients: toRecipients(to),
    ccRecipients: toRecipients(cc),
    bccRecipients: toRecipients(bcc),
  });
}

function toEvent(args: ActionArguments): JsonObject {
  const { subject: title, body, startDateTime, endDateTime, location, attendees } = args;
  const timeZone = args.timeZone || "UTC";
  const toTime = (dateTime: Json | undefined) => (dateTime ? { dateTime, timeZone } : undefined);
  return bodyOf({
    subject: title,
    body: toBody(body),
    start: toTime(startDateTime),
    end: toTime(endDateTime),
    location: location ? { displayName: location } : undefined,
    attendees: toRecipients(attendees)?.map((attendee) => ({ ...attendee, type: "required" })),
  });
}

/** An action on an item with an id. */
function on(
  path: (args: ActionArguments) => string,
  id: Record<string, JsonObject>,
  action: Pick<VendorAction, "description"> & { method: "GET" | "DELETE" },
): VendorAction {
  const { description, method } = action;
  return {
    description,
    effect: effectOfMethod(method),
    parameters: id,
    required: Object.keys(id),
    toRequest: (args) => ({ method, path: path(args), ...(method === "GET" && { headers: asText }) }),
  };
}

const calendars: Record<string, VendorAction> = {
  listCalendars: {
    description: "Lists the calendars of the person.",
    effect: "read",
    parameters: { maxResults },
    required: [],
    toRequest: ({ maxResults: $top = 50 }) => ({
      method: "GET",
      path: "/me/calendars",
      query: { $top, $select: "id,name,owner,canEdit,isDefaultCalendar" },
    }),
  },
  getCalendar: on(calendarOf, { calendarId }, { description: "Reads what a calendar is.", method: "GET" }),
  createCalendar: {
    description: "Creates a calendar.",
    effect: "write",
    parameters: { calendarName: text("Name of the calendar.") },
    required: ["calendarName"],
    toRequest: ({ calendarName: name }) => ({ method: "POST", path: "/me/calendars", body: bodyOf({ name }) }),
  },
  updateCalendar: {
    description: "Changes the name of a calendar.",
    effect: "write",
    parameters: { calendarId, calendarName: text("The new name.") },
    required: ["calendarId", "calendarName"],
    toRequest: (args) => ({ method: "PATCH", path: calendarOf(args), body: bodyOf({ name: args.calendarName }) }),
  },
  deleteCalendar: on(
    calendarOf,
    { calendarId },
    { description: "Deletes a calendar with its events.", method: "DELETE" },
  ),
};

const events: Record<string, VendorAction> = {
  listEvents: {
    description: "Lists events: all, or those of a time, where each occurrence of a repeated one is listed by itself.",
    effect: "read",
    parameters: {
      calendarId: text("Id of the calendar. Default the person's own."),
      maxResults,
      startDateTime: text("Start of the time, such as 2026-05-04T00:00:00Z. Needs endDateTime."),
      endDateTime: text("Its end. Needs startDateTime."),
    },
    required: [],
    toRequest({ maxResults: $top = 50, startDateTime, endDateTime, ...args }) {
      if (Boolean(startDateTime) !== Boolean(endDateTime)) {
        throw new ArgumentError("Nothing was called: startDateTime and endDateTime are given together.");
      }
      const place = args.calendarId ? calendarOf(args) : "/me/calendar";
      return {
        method: "GET",
        path: `${place}/${startDateTime ? "calendarView" : "events"}`,
        query: { startDateTime, endDateTime, $top, $select: shownEvent, $orderby: "start/dateTime" },
      };
    },
  },
  getEvent: on(eventOf, { eventId }, { description: "Reads an event.", method: "GET" }),
  createEvent: {
    description: "Creates an event, to which the guests are invited.",
    effect: "write",
    parameters: eventFields,
    required: ["subject", "startDateTime", "endDateTime"],
    toRequest: (args) => ({ method: "POST", path: "/me/events", body: toEvent(args) }),
  },
  updateEvent: {
    description: "Changes what is given of an event. Attendees are replaced by the new list.",
    effect: "write",
    parameters: { eventId, ...eventFields },
    required: ["eventId"],
    toRequest: (args) => ({ method: "PATCH", path: eventOf(args), body: toEvent(args) }),
  },
  deleteEvent: on(eventOf, { eventId }, { description: "Deletes an event.", method: "DELETE" }),
};

/** Copies or moves a message to a folder. */
function toFolder(description: string, verb: "copy" | "move"): VendorAction {
  return {
    description,
    effect: "write",
    parameters: { messageId, destinationFolderId },
    required: ["messageId", "destinationFolderId"],
    toRequest: (args) => ({
      method: "POST",
      path: `${messageOf(args)}/${verb}`,
      body: bodyOf({ destinationId: args.destinationFolderId }),
    }),
  };
}

const messages: Record<string, VendorAction> = {
  listMessages: {
    description: "Lists mails with their beginnings, newest first.",
    effect: "read",
    parameters: {
      maxResults,
      filter: text("A filter of OData, such as isRead eq false or from/emailAddress/address eq 'ana@example.org'."),
    },
    required: [],
    toRequest: ({ maxResults: $top = 50, filter: $filter }) => ({
      method: "GET",
      path: "/me/messages",
      query: { $top, $filter, $select: shownMessage },
    }),
  },
  getMessage: on(messageOf, { messageId }, { description: "Reads a mail.", method: "GET" }),
  createDraftMessage: {
    description: "Writes a draft of a mail, which is not sent.",
    effect: "write",
    parameters: mail,
    required: mailNeeds,
    toRequest: (args) => ({ method: "POST", path: "/me/messages", body: toMessage(args) }),
  },
  sendMessage: {
    description: "Sends a mail.",
    effect: "write",
    parameters: mail,
    required: mailNeeds,
    toRequest: (args) => ({ method: "POST", path: "/me/sendMail", body: { message: toMessage(args) } }),
  },
  updateMessage: {
    description: "Marks a mail as read or unread.",
    effect: "write",
    parameters: { messageId, isRead: flag("Whether it is read.") },
    required: ["messageId", "isRead"],
    toRequest: (args) => ({ method: "PATCH", path: messageOf(args), body: { isRead: args.isRead === true } }),
  },
  deleteMessage: on(messageOf, { messageId }, { description: "Deletes a mail.", method: "DELETE" }),
  copyMessage: toFolder("Copies a mail to a folder.", "copy"),
  moveMessage: toFolder("Moves a mail to a folder.", "move"),
  replyMessage: {
    description: "Answers the sender of a mail.",
    effect: "write",
    parameters: { messageId, replyBody: text("The answer.") },
    required: ["messageId", "replyBody"],
    toRequest: (args) => ({
      method: "POST",
      path: `${messageOf(args)}/reply`,
      body: bodyOf({ comment: args.replyBody }),
    }),
  },
  forwardMessage: {
    description: "Forwards a mail.",
    effect: "write",
    parameters: {
      messageId,
      forwardTo: text("Addresses of the recipients, with commas between them."),
      forwardComment: text("What is written above it."),
    },
    required: ["messageId", "forwardTo"],
    toRequest: (args) => ({
      method: "POST",
      path: `${messageOf(args)}/forward`,
      body: bodyOf({ comment: args.forwardComment, toRecipients: toRecipients(args.forwardTo) }),
    }),
  },
};

/** A person's calendars and mail. Source: learn.microsoft.com/graph/api/resources/mail-api-overview. */
export const microsoftOutlook = defineVendor({
  type: "microsoft-outlook",
  title: "Microsoft Outlook",
  summary: "Reads, writes and sends mails, and keeps calendars.",
  icon: "toolkit",
  prefix: "outlook",
  address: { url: "https://graph.microsoft.com/v1.0" },
  signIn: oAuth("microsoftOutlookOAuth2", "https://login.microsoftonline.com/common/oauth2/v2.0/token"),
  actions: { ...calendars, ...events, ...messages },
});
