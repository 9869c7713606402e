import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { after, before, describe, it } from "node:test";
import { createEventApi, type Event, type EventApi, eventApiDocument, seedEvents } from "@weft/event-api";

type Answer = { status: number; type: string | undefined; text: string; body: unknown };

const picnic = { name: "Picnic", date: "2026-07-01T12:00:00Z", location: "Park" };
const missing = (fields: string) => ({ error: `Missing required fields: ${fields}` });
const wrongDate = { error: "Date must be in ISO 8601 format (YYYY-MM-DDTHH:mm:ssZ)" };
const eventNotFound = { error: "Event not found" };
const endpointNotFound = { error: "Endpoint not found" };
const somethingWentWrong = { error: "Something went wrong!" };

let api: EventApi;
let port: number;

/** One request with the path exactly as written; `fetch` would tidy it. Text bodies go as they are, others as JSON. */
async function send(method: string, path: string, body?: unknown): Promise<Answer> {
  const outgoing = request({ host: "127.0.0.1", port, method, path, headers: { "content-type": "application/json" } });
  outgoing.end(typeof body === "string" || body === undefined ? body : JSON.stringify(body));
  const [response] = await once(outgoing, "response");
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk;
  return {
    status: response.statusCode,
    type: response.headers["content-type"],
    text,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

async function expectAnswer(answer: Promise<Answer>, status: number, body: unknown): Promise<void> {
  const { status: actual, type, body: received } = await answer;
  assert.deepEqual({ status: actual, body: received }, { status, body });
  assert.equal(type, body === undefined ? undefined : "application/json; charset=utf-8");
}

before(async () => {
  let next = 0;
  api = createEventApi({ ids: () => `generated-${++next}` });
  api.server.listen(0, "127.0.0.1");
  await once(api.server, "listening");
  port = (api.server.address() as AddressInfo).port;
});

after(() => {
  api.server.close();
  api.server.closeAllConnections();
});

describe("reading events", () => {
  it("starts with five whole events", async () => {
    const { status, body } = await send("GET", "/events");
    const events = body as Event[];
    assert.equal(status, 200);
    assert.equal(events.length, 5);
    assert.equal(new Set(events.map((event) => event.id)).size, 5);
    for (const event of events) assert.deepEqual(Object.keys(event), ["id", "name", "date", "location"]);
  });

  it("ignores the query, limit too, and a trailing slash", async () => {
    for (const path of ["/events?limit=1", "/events/", "/events/?limit=2", "http://proxy.example/events"]) {
      const { status, body } = await send("GET", path);
      assert.deepEqual([status, (body as Event[]).length], [200, 5], path);
    }
  });

  it("finds one event by its id", async () => {
    for (const path of ["/events/3", "/events/3/", "/events/3?limit=1", "/events/%33"]) {
      await expectAnswer(send("GET", path), 200, seedEvents[2]);
    }
  });

  it("does not find other ids", async () => {
    for (const path of ["/events/6", "/events/%zz", "/events/__proto__", "/events/1%2F", "/events/%20"]) {
      await expectAnswer(send("GET", path), 404, eventNotFound);
    }
  });

  it("answers HEAD as GET without the body", async () => {
    assert.deepEqual(await send("HEAD", "/events/1").then(({ status, text }) => [status, text]), [200, ""]);
    assert.equal((await send("HEAD", "/events/nowhere")).status, 404);
  });
});

describe("creating an event", () => {
  it("makes an id when none is supplied and keeps only the four fields", async () => {
    await expectAnswer(send("POST", "/events", { ...picnic, colour: "red" }), 201, { id: "generated-1", ...picnic });
    await expectAnswer(send("GET", "/events/generated-1"), 200, { id: "generated-1", ...picnic });
  });

  it("takes a supplied id, whatever its characters", async () => {
    for (const id of ["my-picnic", "a/b c", "größe", "%41"]) {
      await expectAnswer(send("POST", "/events", { id, ...picnic }), 201, { id, ...picnic });
      await expectAnswer(send("GET", `/events/${encodeURIComponent(id)}`), 200, { id, ...picnic });
    }
    await expectAnswer(send("POST", "/events", { id: 77, ...picnic }), 201, { id: "77", ...picnic });
  });

  it("counts an empty or unusable id as none", async () => {
    for (const id of ["", null, {}, [], true]) {
      const { status, body } = await send("POST", "/events", { id, ...picnic });
      assert.equal(status, 201);
      assert.match((body as Event).id, /^generated-\d+$/);
    }
  });

  it("keeps ids unique: a supplied id that exists takes its place", async () => {
    await send("POST", "/events", { id: "twice", ...picnic });
    const second = { ...picnic, id: "twice", name: "Second" };
    await expectAnswer(send("POST", "/events", second), 201, second);
    const events = (await send("GET", "/events")).body as Event[];
    assert.deepEqual(
      events.filter((event) => event.id === "twice").map((event) => event.name),
      ["Second"],
    );
  });

  it("generates uuids by default", async (t) => {
    const own = createEventApi();
    t.after(() => own.server.close().closeAllConnections());
    own.server.listen(0, "127.0.0.1");
    await once(own.server, "listening");
    const address = `http://127.0.0.1:${(own.server.address() as AddressInfo).port}/events`;
    const response = await fetch(address, { method: "POST", body: JSON.stringify(picnic) });
    const event = (await response.json()) as Event;
    assert.match(event.id, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });
});

const rejected: [string, unknown, object][] = [
  ["no body", undefined, missing("name, date, location")],
  ["a blank body", "  \n", missing("name, date, location")],
  ["an empty object", {}, missing("name, date, location")],
  ["null", "null", missing("name, date, location")],
  ["an array", [picnic], missing("name, date, location")],
  ["a string", '"name"', missing("name, date, location")],
  ["a number", "5", missing("name, date, location")],
  ["no name", { ...picnic, name: undefined }, missing("name")],
  ["an empty location", { ...picnic, location: "" }, missing("location")],
  ["a blank name", { ...picnic, name: " \t" }, missing("name")],
  ["null for a date", { ...picnic, date: null }, missing("date")],
  ["a name that is a number", { ...picnic, name: 7 }, missing("name")],
  ["a location that is an object", { ...picnic, location: { city: "Rome" } }, missing("location")],
  ["a missing field before a wrong date", { name: "A", date: "soon" }, missing("location")],
  ["two missing fields, in the declared order", { location: "A" }, missing("name, date")],
  ["a date only", { ...picnic, date: "2026-07-01" }, wrongDate],
  ["a date that is a number", { ...picnic, date: 1782907200 }, wrongDate],
  ["an offset", { ...picnic, date: "2026-07-01T12:00:00+02:00" }, wrongDate],
  ["a space for the T", { ...picnic, date: "2026-07-01 12:00:00" }, wrongDate],
  ["minutes only", { ...picnic, date: "2026-07-01T12:00Z" }, wrongDate],
  ["one decimal", { ...picnic, date: "2026-07-01T12:00:00.5Z" }, wrongDate],
  ["a small z", { ...picnic, date: "2026-07-01T12:00:00z" }, wrongDate],
  ["a line break after it", { ...picnic, date: "2026-07-01T12:00:00Z\n" }, wrongDate],
  ["a blank before it", { ...picnic, date: " 2026-07-01T12:00:00Z" }, wrongDate],
];

describe("validation", () => {
  for (const [title, body, error] of rejected) {
    it(`refuses ${title} on create and on update`, async () => {
      const before = await send("GET", "/events");
      await expectAnswer(send("POST", "/events", body), 400, error);
      await expectAnswer(send("PATCH", "/events/1", body), 400, error);
      assert.deepEqual(await send("GET", "/events"), before);
    });
  }

  for (const date of [
    "2026-07-01T12:00:00",
    "2026-07-01T12:00:00Z",
    "2026-07-01T12:00:00.250",
    "2026-07-01T12:00:00.250Z",
  ]) {
    it(`accepts ${date} and keeps it as sent`, async () => {
      await expectAnswer(send("PATCH", "/events/2", { ...picnic, date }), 200, { id: "2", ...picnic, date });
    });
  }
});

describe("updating an event", () => {
  it("replaces the three fields and keeps the id", async () => {
    await expectAnswer(send("PATCH", "/events/4", { id: "other", ...picnic }), 200, { id: "4", ...picnic });
    await expectAnswer(send("GET", "/events/4"), 200, { id: "4", ...picnic });
    await expectAnswer(send("GET", "/events/other"), 404, eventNotFound);
  });

  it("looks the event up before it reads the body", async () => {
    for (const body of [{}, "{", picnic]) await expectAnswer(send("PATCH", "/events/none", body), 404, eventNotFound);
  });
});

describe("deleting an event", () => {
  it("answers 204 without a body, then 404", async () => {
    await expectAnswer(send("DELETE", "/events/5"), 204, undefined);
    await expectAnswer(send("DELETE", "/events/5"), 404, eventNotFound);
    await expectAnswer(send("GET", "/events/5"), 404, eventNotFound);
    const events = (await send("GET", "/events")).body as Event[];
    assert.equal(
      events.some((event) => event.id === "5"),
      false,
    );
  });
});

describe("everything else", () => {
  const unknown = [
    ["PUT", "/events/1"],
    ["PUT", "/events"],
    ["POST", "/events/1"],
    ["PATCH", "/events"],
    ["DELETE", "/events"],
    ["OPTIONS", "/events"],
    ["GET", "/"],
    ["GET", "/Events"],
    ["GET", "/events/1/guests"],
    ["GET", "/events//"],
    ["GET", "//events"],
    ["GET", "/eventsx"],
    ["GET", "/event-api.yaml"],
  ] as const;
  for (const [method, path] of unknown) {
    it(`answers ${method} ${path} with 404`, async () => {
      await expectAnswer(send(method, path, method === "PUT" ? "{" : undefined), 404, endpointNotFound);
    });
  }

  it("answers malformed JSON with 500", async () => {
    for (const body of ["{", "{'name':1}", "name=Picnic", '{"name":"A"}}']) {
      await expectAnswer(send("POST", "/events", body), 500, somethingWentWrong);
      await expectAnswer(send("PATCH", "/events/1", body), 500, somethingWentWrong);
    }
  });

  it("accepts a body of 1 MiB and answers a larger one with 500", async () => {
    const filled = (sizeBytes: number) => {
      const text = JSON.stringify({ ...picnic, id: "large", note: "" });
      return text.replace('"note":""', `"note":"${"x".repeat(sizeBytes - text.length)}"`);
    };
    assert.equal((await send("POST", "/events", filled(1024 * 1024))).status, 201);
    await expectAnswer(send("POST", "/events", filled(1024 * 1024 + 1)), 500, somethingWentWrong);
    await expectAnswer(send("POST", "/events", filled(3 * 1024 * 1024)), 500, somethingWentWrong);
  });

  it("survives a client that leaves in the middle of its body", async () => {
    const socket = connect(port, "127.0.0.1");
    const received = once(api.server, "request");
    socket.write('POST /events HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"name":');
    const [incoming] = await received;
    const closed = new Promise((resolve) => incoming.once("close", resolve));
    socket.destroy();
    await closed;
    assert.equal((await send("GET", "/events/1")).status, 200);
  });
});

it("describes itself in an OpenAPI 3.0.0 document", async () => {
  const text = await eventApiDocument();
  assert.match(text, /^openapi: 3\.0\.0$/m);
  assert.match(text, /^ {2}version: 1\.0\.0$/m);
  assert.match(text, /^ {2}- url: http:\/\/localhost:5566$/m);
  assert.deepEqual(
    [...text.matchAll(/operationId: (\w+)/g)].map((match) => match[1]),
    ["listEvents", "createEvent", "getEventById", "updateEventDetails", "deleteEvent"],
  );
});
