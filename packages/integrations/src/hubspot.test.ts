import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Json } from "@weft/schema";
import { callTool, sendJson, toolNamed } from "./testing/bench.ts";
import {
  assertRefusals,
  assertStaysInPath,
  assertWithstandsOddAnswers,
  callEveryAction,
  startSite,
} from "./testing/vendor.ts";

const fields = { accessToken: "pat-eu1-secret" };
const vendor = { type: "hubspot", fields };

const contact = {
  id: "51",
  properties: { email: "ana@example.org", firstname: "Ana", lastname: null, hs_object_id: "51" },
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-02T00:00:00Z",
  archived: false,
};
const shownContact = { id: "51", email: "ana@example.org", firstname: "Ana", updated: "2026-01-02T00:00:00Z" };
const answers: Readonly<Record<string, Json>> = {
  "/crm/v3/objects/contacts/search": { total: 12, results: [contact], paging: { next: { after: "10", link: "?" } } },
  "/crm/v3/objects/companies/search": { total: 1, results: [{ id: "7", properties: { name: "Acme" } }] },
  "/crm/v3/objects/deals/search": { total: 0, results: [] },
  "/crm/v3/objects/notes": { id: "90", properties: {}, createdAt: "2026-07-01T12:05:09Z" },
};

describe("HubSpot", () => {
  it("finds contacts, companies and deals as short lists", async (t) => {
    const site = await startSite(t, fields, ({ url }, response) => sendJson(response, 200, answers[url] ?? null));
    const tools = await site.build("hubspot", { actions: ["searchContacts", "searchCompanies", "searchDeals"] });
    const call = async (name: string, args: Record<string, Json>) =>
      JSON.parse((await callTool(toolNamed(tools, name), args, site.context())).content);
    assert.deepEqual(await call("hubspot_search_contacts", { query: "ana", limit: 5, after: "5" }), {
      items: [shownContact],
      total: 12,
      next: "10",
    });
    const found = await call("hubspot_search_companies", { property: "domain", value: "acme.example" });
    assert.deepEqual(found, { items: [{ id: "7", name: "Acme" }], total: 1 });
    assert.deepEqual(await call("hubspot_search_deals", {}), { items: [], total: 0 });
    assert.equal(site.calls()[0]?.headers.authorization, "Bearer pat-eu1-secret");
    const [contacts, companies] = site.calls().map(({ body }) => JSON.parse(body));
    assert.deepEqual(contacts, {
      query: "ana",
      properties: ["email", "firstname", "lastname", "phone", "company", "jobtitle", "lifecyclestage"],
      limit: 5,
      after: "5",
    });
    assert.deepEqual(companies.filterGroups, [
      { filters: [{ propertyName: "domain", operator: "EQ", value: "acme.example" }] },
    ]);
  });

  it("writes contacts and notes", async (t) => {
    const site = await startSite(t, fields, ({ url }, response) => sendJson(response, 200, answers[url] ?? contact));
    const tools = await site.build("hubspot", { actions: ["createContact", "updateContact", "createNote"] });
    const person = { email: "ana@example.org", firstName: "Ana", properties: { lifecyclestage: "lead" } };
    const made = await callTool(toolNamed(tools, "hubspot_create_contact"), person, site.context());
    assert.deepEqual(JSON.parse(made.content), shownContact);
    const update = toolNamed(tools, "hubspot_update_contact");
    await callTool(update, { contact: "ana@example.org", jobTitle: "Lead" }, site.context());
    await callTool(update, { contact: "51", phone: "1" }, site.context());
    const nothing = await callTool(update, { contact: "51" }, site.context());
    assert.match(nothing.content, /no property was given/);
    const note = { recordType: "deal", recordId: "8", note: "Called." };
    const noted = await callTool(toolNamed(tools, "hubspot_create_note"), note, site.context());
    assert.equal(noted.content, '{"id":"90","created":"2026-07-01T12:05:09Z"}');
    assert.deepEqual(
      site.calls().map(({ method, url, body }) => [`${method} ${url}`, JSON.parse(body)]),
      [
        [
          "POST /crm/v3/objects/contacts",
          { properties: { lifecyclestage: "lead", email: "ana@example.org", firstname: "Ana" } },
        ],
        ["PATCH /crm/v3/objects/contacts/ana%40example.org?idProperty=email", { properties: { jobtitle: "Lead" } }],
        ["PATCH /crm/v3/objects/contacts/51", { properties: { phone: "1" } }],
        [
          "POST /crm/v3/objects/notes",
          {
            properties: { hs_timestamp: "2026-07-01T12:05:09.123Z", hs_note_body: "Called." },
            associations: [
              { to: { id: "8" }, types: [{ associationCategory: "HUBSPOT_DEFINED", associationTypeId: 214 }] },
            ],
          },
        ],
      ],
    );
  });

  it("says what HubSpot refused, and what to do", async (t) => {
    const error = (category: string, message: string) => ({ status: "error", message, category, correlationId: "c" });
    const call = { ...vendor, action: "createContact", args: { email: "ana@example.org" } };
    await assertRefusals(
      t,
      call,
      [
        [401, error("INVALID_AUTHENTICATION", "Authentication credentials not found.")],
        [403, error("MISSING_SCOPES", "One or more of the following scopes are required: crm.objects.contacts.write.")],
        [404, error("OBJECT_NOT_FOUND", "resource not found")],
        [409, error("CONFLICT", "Contact already exists. Existing ID: 51")],
        [429, error("RATE_LIMITS", "You have reached your ten_secondly_rolling limit."), { "retry-after": "10" }],
      ],
      [
        /credentials not found.*\nThe credential is not accepted/,
        /contacts\.write.*\nIf the credential lacks/,
        /resource not found.*\nCheck the ids/,
        /409.*Existing ID: 51/,
        /ten_secondly.*\nToo many calls.*\nCall it again after 10 s/,
      ],
    );
  });

  it("makes the request of every action, within its path", async (t) => {
    const site = await startSite(t, fields);
    assert.deepEqual(await callEveryAction(site, "hubspot"), [
      "POST /crm/v3/objects/contacts/search",
      "POST /crm/v3/objects/companies/search",
      "POST /crm/v3/objects/deals/search",
      "POST /crm/v3/objects/contacts",
      "PATCH /crm/v3/objects/contacts/value",
      "POST /crm/v3/objects/notes",
    ]);
    await assertStaysInPath(t, vendor);
  });

  it("shows little of answers that are huge or odd", async (t) => {
    const long = "x".repeat(5_000);
    const huge = { ...contact, id: long, properties: { email: long, name: long, dealname: long } };
    await assertWithstandsOddAnswers(t, vendor, [
      { results: Array.from({ length: 300 }, () => huge), total: long, paging: { next: { after: long } } },
      { results: [null, { id: [], properties: "a" }, { properties: { email: {} } }], paging: [] },
      huge,
    ]);
  });
});
