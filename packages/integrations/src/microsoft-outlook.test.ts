import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { callTool, sendJson, toolNamed } from "./testing/bench.ts";
import { callEveryAction, startVendor } from "./testing/vendor.ts";

describe("Microsoft Outlook", () => {
  it("sends mails and writes drafts, as text or HTML", async (t) => {
    const vendor = await startVendor(t, (_request, response) => response.writeHead(202).end());
    const tools = await vendor.build("microsoft-outlook", { actions: ["sendMessage", "createDraftMessage"] });
    const mail = { to: "ana@example.org, bo@example.org", subject: "Plan", body: "<p>Hi</p>" };
    const sent = await callTool(toolNamed(tools, "outlook_send_message"), mail, vendor.context());
    assert.match(sent.content, /202.*done/);
    const draft = { to: "ana@example.org", subject: "Plan", body: "Hi", cc: "c@example.org", bcc: "d@example.org" };
    await callTool(toolNamed(tools, "outlook_create_draft_message"), draft, vendor.context());
    const address = (name: string) => ({ emailAddress: { address: `${name}@example.org` } });
    assert.deepEqual(
      vendor.calls().map(({ url, body }) => [url, JSON.parse(body)]),
      [
        [
          "/me/sendMail",
          {
            message: {
              subject: "Plan",
              body: { contentType: "html", content: "<p>Hi</p>" },
              toRecipients: [address("ana"), address("bo")],
            },
          },
        ],
        [
          "/me/messages",
          {
            subject: "Plan",
            body: { contentType: "text", content: "Hi" },
            toRecipients: [address("ana")],
            ccRecipients: [address("c")],
            bccRecipients: [address("d")],
          },
        ],
      ],
    );
  });

  it("lists mails by a filter, and reads them as text", async (t) => {
    const vendor = await startVendor(t);
    const tools = await vendor.build("microsoft-outlook", { actions: ["listMessages", "getMessage", "updateMessage"] });
    const filter = { filter: "isRead eq false", maxResults: 3 };
    await callTool(toolNamed(tools, "outlook_list_messages"), filter, vendor.context());
    await callTool(toolNamed(tools, "outlook_get_message"), { messageId: "a/b==" }, vendor.context());
    await callTool(toolNamed(tools, "outlook_update_message"), { messageId: "m", isRead: false }, vendor.context());
    const [list, get, update] = vendor.calls();
    assert.match(list?.url ?? "", /^\/me\/messages\?%24top=3&%24filter=isRead\+eq\+false&%24select=id/);
    assert.equal(get?.url, "/me/messages/a%2Fb%3D%3D");
    assert.equal(get?.headers.prefer, 'outlook.body-content-type="text"');
    assert.deepEqual(JSON.parse(update?.body ?? ""), { isRead: false });
  });

  it("creates events in a time zone, and lists those of a time", async (t) => {
    const vendor = await startVendor(t);
    const tools = await vendor.build("microsoft-outlook", { actions: ["createEvent", "listEvents"] });
    const times = { startDateTime: "2026-05-04T09:00:00", endDateTime: "2026-05-04T10:00:00" };
    const event = { subject: "Review", ...times, location: "Room 1", attendees: "ana@example.org" };
    await callTool(toolNamed(tools, "outlook_create_event"), event, vendor.context());
    assert.deepEqual(JSON.parse(vendor.calls()[0]?.body ?? ""), {
      subject: "Review",
      start: { dateTime: "2026-05-04T09:00:00", timeZone: "UTC" },
      end: { dateTime: "2026-05-04T10:00:00", timeZone: "UTC" },
      location: { displayName: "Room 1" },
      attendees: [{ emailAddress: { address: "ana@example.org" }, type: "required" }],
    });
    const list = toolNamed(tools, "outlook_list_events");
    await callTool(list, { calendarId: "c", ...times }, vendor.context());
    await callTool(list, {}, vendor.context());
    const half = await callTool(list, { startDateTime: "2026-05-04T09:00:00" }, vendor.context());
    assert.match(half.content, /Nothing was called: startDateTime and endDateTime are given together/);
    const [, view, all] = vendor.calls();
    assert.match(view?.url ?? "", /^\/me\/calendars\/c\/calendarView\?startDateTime=2026/);
    assert.match(all?.url ?? "", /^\/me\/calendar\/events\?%24top=50/);
  });

  it("renews its token, and repeats no mail that may have been sent", async (t) => {
    let status = 200;
    const vendor = await startVendor(t, (_request, response) => sendJson(response, status, { error: { code: "e" } }));
    const tools = await vendor.build("microsoft-outlook", { actions: ["listCalendars", "replyMessage"] });
    const list = toolNamed(tools, "outlook_list_calendars");
    await callTool(list, {}, vendor.context());
    vendor.revoke();
    assert.equal((await callTool(list, {}, vendor.context())).isError, undefined);
    status = 503;
    const before = vendor.calls().length;
    const reply = toolNamed(tools, "outlook_reply_message");
    const { isError } = await callTool(reply, { messageId: "m", replyBody: "Yes" }, vendor.context());
    assert.equal(isError, true);
    assert.equal(vendor.calls().length, before + 1);
    assert.match((await callTool(reply, { messageId: "m" }, vendor.context())).content, /replyBody/);
  });

  it("makes the request of every action", async (t) => {
    const vendor = await startVendor(t);
    assert.deepEqual(await callEveryAction(vendor, "microsoft-outlook", { calendarId: "c", eventId: "e" }), [
      "GET /me/calendars",
      "GET /me/calendars/c",
      "POST /me/calendars",
      "PATCH /me/calendars/c",
      "DELETE /me/calendars/c",
      "GET /me/calendars/c/calendarView",
      "GET /me/events/e",
      "POST /me/events",
      "PATCH /me/events/e",
      "DELETE /me/events/e",
      "GET /me/messages",
      "GET /me/messages/value",
      "POST /me/messages",
      "POST /me/sendMail",
      "PATCH /me/messages/value",
      "DELETE /me/messages/value",
      "POST /me/messages/value/copy",
      "POST /me/messages/value/move",
      "POST /me/messages/value/reply",
      "POST /me/messages/value/forward",
    ]);
  });
});
