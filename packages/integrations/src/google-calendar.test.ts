import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { callTool, sendJson, toolNamed } from "./testing/bench.ts";
import { callEveryAction, startVendor } from "./testing/vendor.ts";

const times = { startDateTime: "2026-05-04T09:00:00", endDateTime: "2026-05-04T10:00:00", timeZone: "Europe/Madrid" };

describe("Google Calendar", () => {
  it("creates events with times, guests, repetition and a reminder", async (t) => {
    const vendor = await startVendor(t);
    const [tool] = await vendor.build("google-calendar", { actions: ["createEvent"] });
    assert.ok(tool);
    assert.deepEqual([tool.name, tool.kind], ["google_calendar_create_event", "write"]);
    const guests = { attendees: "ana@example.org, bo@example.org", sendUpdates: "all" };
    const rest = { recurrence: "FREQ=WEEKLY;COUNT=5\nEXDATE:20260511T070000Z", reminderMinutes: 10, location: "" };
    await callTool(tool, { summary: "Review", ...times, ...guests, ...rest }, vendor.context());
    const [call] = vendor.calls();
    assert.match(call?.url ?? "", /^\/calendars\/primary\/events\?sendUpdates=all&fields=id/);
    assert.deepEqual(JSON.parse(call?.body ?? ""), {
      summary: "Review",
      start: { dateTime: "2026-05-04T09:00:00", timeZone: "Europe/Madrid" },
      end: { dateTime: "2026-05-04T10:00:00", timeZone: "Europe/Madrid" },
      attendees: [{ email: "ana@example.org" }, { email: "bo@example.org" }],
      recurrence: ["RRULE:FREQ=WEEKLY;COUNT=5", "EXDATE:20260511T070000Z"],
      reminders: { useDefault: false, overrides: [{ method: "popup", minutes: 10 }] },
    });
  });

  it("takes whole days, and clears the times that an event had", async (t) => {
    const vendor = await startVendor(t);
    const tools = await vendor.build("google-calendar", { actions: ["createEvent", "updateEvent"] });
    const day = { allDay: true, startDate: "2026-12-31" };
    await callTool(toolNamed(tools, "google_calendar_create_event"), { summary: "Off", ...day }, vendor.context());
    const change = toolNamed(tools, "google_calendar_update_event");
    await callTool(change, { eventId: "e", calendarId: "team@example.org", ...day }, vendor.context());
    await callTool(change, { eventId: "e", startDateTime: "2026-05-04T09:00:00Z" }, vendor.context());
    assert.deepEqual(
      vendor.calls().map(({ method, url, body }) => [method, url.replace(/\?.*/, ""), JSON.parse(body)]),
      [
        [
          "POST",
          "/calendars/primary/events",
          { summary: "Off", start: { date: "2026-12-31" }, end: { date: "2027-01-01" } },
        ],
        [
          "PATCH",
          "/calendars/team%40example.org/events/e",
          { start: { date: "2026-12-31", dateTime: null }, end: { date: "2027-01-01", dateTime: null } },
        ],
        ["PATCH", "/calendars/primary/events/e", { start: { dateTime: "2026-05-04T09:00:00Z", date: null } }],
      ],
    );
  });

  it("asks for what an event lacks before anything is called", async (t) => {
    const vendor = await startVendor(t);
    const [tool] = await vendor.build("google-calendar", { actions: ["createEvent"] });
    assert.ok(tool);
    const without = await callTool(tool, { summary: "Review" }, vendor.context());
    assert.match(without.content, /Nothing was called: an event needs startDateTime and endDateTime/);
    const wrong = await callTool(tool, { summary: "Off", allDay: true, startDate: "Monday" }, vendor.context());
    assert.match(wrong.content, /"Monday" is no day/);
    assert.deepEqual(vendor.calls(), []);
  });

  it("lists the occurrences of events, with values of the settings in the types of the parameters", async (t) => {
    const vendor = await startVendor(t);
    const defaults = { maxResults: "5", singleEvents: "false", timeMin: "", eventId: "of another action" };
    const [tool] = await vendor.build("google-calendar", { actions: ["listEvents"], defaults });
    assert.ok(tool);
    await callTool(tool, { query: "a b" }, vendor.context());
    const url = new URL(vendor.calls()[0]?.url ?? "", vendor.base);
    assert.match(url.searchParams.get("fields") ?? "", /^nextPageToken,timeZone,items\(id,/);
    url.searchParams.delete("fields");
    assert.equal(url.search, "?q=a+b&maxResults=5&singleEvents=false");
    const wrong = vendor.build("google-calendar", { actions: ["listEvents"], defaults: { maxResults: "many" } });
    await assert.rejects(wrong, { code: "tool-invalid", message: /maxResults is no integer/ });
  });

  it("asks when several calendars are busy, which is a read", async (t) => {
    const vendor = await startVendor(t);
    const [tool] = await vendor.build("google-calendar", { actions: ["queryFreebusy"] });
    assert.equal(tool?.kind, "read");
    assert.ok(tool);
    const time = { timeMin: "2026-05-04T00:00:00Z", timeMax: "2026-05-05T00:00:00Z" };
    await callTool(tool, { ...time, calendarIds: "a, b" }, vendor.context());
    assert.deepEqual(JSON.parse(vendor.calls()[0]?.body ?? ""), { ...time, items: [{ id: "a" }, { id: "b" }] });
  });

  it("says what to do about an error, and repeats reads that may pass", async (t) => {
    let status = 403;
    const vendor = await startVendor(t, (_request, response) => sendJson(response, status, { error: { status } }));
    const tools = await vendor.build("google-calendar", { actions: ["listCalendars", "deleteCalendar"] });
    const list = toolNamed(tools, "google_calendar_list_calendars");
    const answers: string[] = [];
    for (status of [403, 404, 429]) answers.push((await callTool(list, {}, vendor.context())).content);
    assert.match(answers[0] ?? "", /403.*\nIf the credential lacks the permission/);
    assert.match(answers[1] ?? "", /404.*\nCheck the ids/);
    assert.match(answers[2] ?? "", /429.*\nToo many calls: wait/);
    status = 503;
    const before = vendor.calls().length;
    await callTool(list, {}, vendor.context());
    await callTool(toolNamed(tools, "google_calendar_delete_calendar"), { calendarId: "c" }, vendor.context());
    const methods = vendor.calls().slice(before);
    assert.deepEqual(methods.map(({ method }) => method).join(" "), "GET GET GET DELETE");
  });

  it("says so when even a new token is refused", async (t) => {
    const vendor = await startVendor(t, (_request, response) => sendJson(response, 401, { error: "no" }));
    const [tool] = await vendor.build("google-calendar", { actions: ["listCalendars"] });
    assert.ok(tool);
    const { content, isError } = await callTool(tool, {}, vendor.context());
    assert.equal(isError, true);
    assert.match(content, /401.*\nThe credential is not accepted: sign in again/);
    assert.equal(vendor.tokenRequests().length, 2);
  });

  it("cuts long answers", async (t) => {
    const vendor = await startVendor(t, (_request, response) => sendJson(response, 200, { items: "x".repeat(50_000) }));
    const [tool] = await vendor.build("google-calendar", { actions: ["listCalendars"] });
    assert.ok(tool);
    const { content } = await callTool(tool, {}, vendor.context());
    assert.match(content, /\[Cut here: the first 40000 characters/);
  });

  it("makes the request of every action", async (t) => {
    const vendor = await startVendor(t);
    const values = { startDate: "2026-05-04", calendarId: "c", eventId: "e" };
    assert.deepEqual(await callEveryAction(vendor, "google-calendar", values), [
      "GET /calendars/c/events",
      "POST /calendars/c/events",
      "GET /calendars/c/events/e",
      "PATCH /calendars/c/events/e",
      "DELETE /calendars/c/events/e",
      "POST /calendars/c/events/quickAdd",
      "GET /users/me/calendarList",
      "POST /calendars",
      "GET /calendars/c",
      "PATCH /calendars/c",
      "DELETE /calendars/c",
      "POST /calendars/c/clear",
      "POST /freeBusy",
    ]);
  });
});
