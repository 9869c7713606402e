import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pageSchema } from "@weft/schema";
import { z } from "zod";
import { defineRoute } from "../route/define-route.ts";
import { createTestApp } from "../testing/test-app.ts";
import { base, id, thingSchema } from "../testing/thing-routes.ts";
import { toEtag } from "./entity-tag.ts";
import { Written } from "./written.ts";

const listSchema = z.array(thingSchema);
const thingPage = pageSchema(thingSchema);
const secret = { id, name: "ü\u2028🧶", secret: "undeclared" };
const shown = { id, name: secret.name };
const thing = Written.value(thingSchema, secret);

describe("what was written before", () => {
  test("has what its schema declares, and the tag of its bytes", () => {
    assert.equal(thing.bytes.toString(), JSON.stringify(shown));
    assert.equal(thing.etag, toEtag(JSON.stringify(shown)));
    assert.throws(() => Written.value(thingSchema, { id: 7, name: "" } as never), z.ZodError);
  });

  test("makes lists and pages as they are written at once", () => {
    for (const items of [[], [shown], [shown, { ...shown, name: "" }, shown]]) {
      const written = items.map((item) => Written.value(thingSchema, item));
      assert.equal(Written.list(listSchema, written).bytes.toString(), JSON.stringify(items));
      const page = { data: items, total: 12 };
      assert.equal(Written.page(thingPage, written, 12).bytes.toString(), JSON.stringify(thingPage.parse(page)));
    }
  });

  test("is answered as the value itself, with 304 for its tag and without a body for HEAD", async () => {
    const route = { ...base, method: "GET", permission: "agents:read", returns: { schema: thingSchema } } as const;
    const { send } = createTestApp([
      defineRoute({ ...route, operationId: "written", path: "/written", handle: () => thing }),
      defineRoute({ ...route, operationId: "value", path: "/value", handle: () => secret }),
    ]);
    const [written, value] = [await send("GET", "/written"), await send("GET", "/value")];
    const headersOf = ({ headers }: Response) => [...headers].filter(([name]) => name !== "x-request-id");
    assert.deepEqual(headersOf(written), headersOf(value));
    assert.equal(await written.text(), await value.text());
    assert.equal(await (await send("HEAD", "/written")).text(), "");
    const again = await send("GET", "/written", { headers: { "if-none-match": thing.etag } });
    assert.deepEqual([again.status, await again.text(), again.headers.get("etag")], [304, "", thing.etag]);
    const unproven = { authorization: "Bearer none", "if-none-match": "*" };
    assert.equal((await send("GET", "/written", { headers: unproven })).status, 403);
  });

  test("is an alternative of the route's schema, or refused", async () => {
    const route = { ...base, method: "GET", permission: "open" } as const;
    const wider = Written.value(z.object({ id: z.string(), name: z.string(), secret: z.string() }), secret);
    const { send } = createTestApp([
      defineRoute({
        ...route,
        operationId: "either",
        path: "/either",
        returns: { schema: z.union([listSchema, thingPage]) },
        handle: () => Written.list(listSchema, [thing]),
      }),
      defineRoute({
        ...route,
        operationId: "wider",
        path: "/wider",
        returns: { schema: thingSchema },
        handle: () => wider,
      }),
      defineRoute({
        ...route,
        method: "POST",
        operationId: "made",
        path: "/made",
        returns: { schema: thingSchema },
        handle: () => thing,
      }),
    ]);
    assert.deepEqual(await (await send("GET", "/either")).json(), [shown]);
    const refused = await send("GET", "/wider");
    assert.equal(refused.status, 500);
    assert.doesNotMatch(await refused.text(), /undeclared/);
    const made = await send("POST", "/made");
    assert.deepEqual([await made.json(), made.headers.get("etag")], [shown, null]);
  });
});
