import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, it } from "node:test";
import { callTool, type Received, sendJson, startBench, toolNamed } from "./testing/bench.ts";
import { actionsOf, callEveryAction, startVendor } from "./testing/vendor.ts";

const send = { actions: ["sendMessage"] };
const mail = { to: "ana@example.org", subject: "Grüße aus dem Süden, mit einem langen Betreff", body: "Hallo" };

function mailOf({ body }: Received): string {
  return Buffer.from(JSON.parse(body).raw, "base64url").toString();
}

describe("Gmail", () => {
  it("sends mail on behalf of the person who signed in", async (t) => {
    const vendor = await startVendor(t);
    const [tool] = await vendor.build("gmail", send);
    assert.ok(tool);
    assert.equal(tool.name, "gmail_send_message");
    assert.equal(tool.kind, "write");
    const { content, isError } = await callTool(tool, { ...mail, cc: "b@example.org\r\nX-Evil: 1" }, vendor.context());
    assert.equal(isError, undefined);
    assert.equal(content, '{"id":"1"}');
    const [asked] = vendor.tokenRequests();
    assert.equal(
      asked?.body,
      `grant_type=refresh_token&client_id=client&refresh_token=refresh&client_secret=${encodeURIComponent(
        vendor.credential.clientSecret,
      ).replaceAll("%20", "+")}`,
    );
    const [call] = vendor.calls();
    assert.equal(call?.url, "/gmail/v1/users/me/messages/send");
    assert.ok(call);
    const [head = "", body = ""] = mailOf(call).split("\r\n\r\n");
    assert.match(head, /^To: ana@example\.org\r\nCc: b@example\.org X-Evil: 1\r\nSubject: =\?utf-8\?B\?/);
    assert.match(head, /Content-Type: text\/plain; charset=utf-8/);
    assert.equal(Buffer.from(body, "base64").toString(), "Hallo");
    const words = [...head.matchAll(/=\?utf-8\?B\?([^?]*)\?=/g)].map(([word = "", text = ""]) => {
      assert.ok(word.length <= 75);
      return Buffer.from(text, "base64").toString();
    });
    assert.equal(words.join(""), mail.subject);
  });

  it("requests a token once, and another one when it is refused", async (t) => {
    const vendor = await startVendor(t);
    const [tool] = await vendor.build("gmail", { actions: ["listMessages"] });
    assert.ok(tool);
    await callTool(tool, { query: "is:unread" }, vendor.context());
    await callTool(tool, {}, vendor.context());
    assert.equal(vendor.tokenRequests().length, 1);
    assert.equal(vendor.calls()[0]?.url, "/gmail/v1/users/me/messages?q=is%3Aunread&maxResults=10");
    vendor.revoke();
    const { isError } = await callTool(tool, {}, vendor.context());
    assert.equal(isError, undefined);
    assert.equal(vendor.tokenRequests().length, 2);
  });

  it("tells the model what the vendor refused, and never repeats a write that may have arrived", async (t) => {
    const vendor = await startVendor(t, (_request, response) => sendJson(response, 503, { error: "later" }));
    const [tool] = await vendor.build("gmail", send);
    assert.ok(tool);
    const { content, isError } = await callTool(tool, mail, vendor.context());
    assert.equal(isError, true);
    assert.match(content, /503/);
    assert.equal(vendor.calls().length, 1);
    assert.match((await callTool(tool, { to: "a" }, vendor.context())).content, /subject/);
  });

  it("uses an access token alone, and says how to get one where the vendor grants none", async (t) => {
    const bench = await startBench(t, (_request, response) =>
      sendJson(response, 400, { error: "invalid_grant", error_description: "Token has been expired or revoked." }),
    );
    const readCredential = async () => ({ clientId: "c", refresh_token: "r", accessTokenUrl: `${bench.base}/token` });
    const config = { credential: "c", baseUrl: bench.base, ...send };
    const [tool] = await bench.build("gmail", config, { readCredential });
    assert.ok(tool);
    const { content, isError } = await callTool(tool, mail, bench.context());
    assert.equal(isError, true);
    assert.match(content, /gave no access token \(Token has been expired or revoked\.\)\. Sign in again/);
    const [plain] = await bench.build("gmail", config, { readCredential: async () => ({ access_token: "given" }) });
    assert.ok(plain);
    await callTool(plain, mail, bench.context());
    assert.equal(bench.received.at(-1)?.headers.authorization, "Bearer given");
  });

  it("cannot be built without a way to sign in, or without an action", async (t) => {
    const vendor = await startVendor(t);
    await assert.rejects(vendor.build("gmail", send, { clientId: "c" }), { code: "tool-invalid" });
    await assert.rejects(vendor.build("gmail", { actions: [] }), { code: "tool-invalid" });
  });

  it("takes arguments from its settings, which the model then need not give", async (t) => {
    const vendor = await startVendor(t);
    const [tool] = await vendor.build("gmail", { ...send, defaults: { to: "desk@example.org", unknown: "x" } });
    assert.ok(tool);
    assert.deepEqual(tool.parameters.required, ["subject", "body"]);
    await callTool(tool, { subject: "Hi", body: "<p>There</p>" }, vendor.context());
    const [call] = vendor.calls();
    assert.ok(call);
    assert.match(mailOf(call), /^To: desk@example\.org\r\nSubject: Hi\r\n.*text\/html/s);
  });

  it("keeps a value for one action from the others", async (t) => {
    const vendor = await startVendor(t);
    const defaults = {
      "createDraft.to": "draft@example.org",
      to: "desk@example.org",
      "sendMessage.cc": "c@example.org",
    };
    const tools = await vendor.build("gmail", { actions: ["sendMessage", "createDraft"], defaults });
    const message = { subject: "Hi", body: "There" };
    await callTool(toolNamed(tools, "gmail_send_message"), message, vendor.context());
    await callTool(toolNamed(tools, "gmail_create_draft"), message, vendor.context());
    const [sent, draft] = vendor.calls();
    assert.match(sent ? mailOf(sent) : "", /^To: desk@example\.org\r\nCc: c@example\.org\r\n/);
    const { raw } = JSON.parse(draft?.body ?? "").message;
    assert.match(Buffer.from(raw, "base64url").toString(), /^To: draft@example\.org\r\nSubject/);
  });

  it("does no more than its ids say", async (t) => {
    const vendor = await startVendor(t);
    const tools = await vendor.build("gmail", { actions: ["getMessage", "trashThread", "updateLabel"] });
    await callTool(toolNamed(tools, "gmail_get_message"), { messageId: "../drafts/7" }, vendor.context());
    const left = await callTool(toolNamed(tools, "gmail_trash_thread"), { threadId: ".." }, vendor.context());
    assert.match(left.content, /Nothing was called: "\.\." is not an id/);
    await callTool(toolNamed(tools, "gmail_update_label"), { labelId: "a b", labelName: "New" }, vendor.context());
    assert.deepEqual(
      vendor.calls().map(({ method, url }) => `${method} ${url}`),
      ["GET /gmail/v1/users/me/messages/..%2Fdrafts%2F7?format=full", "PATCH /gmail/v1/users/me/labels/a%20b"],
    );
  });
});

describe("Microsoft Teams", () => {
  it("writes to a channel of a team, or to a chat", async (t) => {
    const vendor = await startVendor(t);
    const [tool] = await vendor.build("microsoft-teams", send);
    assert.ok(tool);
    assert.equal(tool.name, "teams_send_message");
    const said = { chatChannelId: "19:abc@thread.tacv2", messageBody: "Hi" };
    await callTool(tool, { ...said, teamId: "t 1" }, vendor.context());
    await callTool(tool, said, vendor.context());
    assert.deepEqual(
      vendor.calls().map(({ url, body }) => [url, JSON.parse(body)]),
      [
        ["/teams/t%201/channels/19%3Aabc%40thread.tacv2/messages", { body: { contentType: "text", content: "Hi" } }],
        ["/chats/19%3Aabc%40thread.tacv2/messages", { body: { contentType: "text", content: "Hi" } }],
      ],
    );
  });

  it("makes a request of every action", async (t) => {
    const vendor = await startVendor(t);
    for (const type of ["microsoft-teams", "gmail"]) {
      const requests = await callEveryAction(vendor, type);
      assert.equal(requests.length, actionsOf(type).length);
      assert.equal(new Set(requests).size, requests.length);
    }
  });
});
