import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { callTool, sendJson, toolNamed } from "./testing/bench.ts";
import { callEveryAction, startSite } from "./testing/vendor.ts";

const key = { stripeApiToken: "rk_test_1" };

describe("Stripe", () => {
  it("sends forms, signed, with a version and a key that makes repeating safe", async (t) => {
    const site = await startSite(t, key);
    const tools = await site.build("stripe", { actions: ["createPrice", "createPaymentLink", "createInvoice"] });
    assert.deepEqual(new Set(tools.map(({ kind }) => kind)), new Set(["idempotent"]));
    const price = { product: "prod_1", unit_amount: 1250, currency: "eur", interval: "month" };
    await callTool(toolNamed(tools, "stripe_create_price"), price, site.context());
    await callTool(toolNamed(tools, "stripe_create_payment_link"), { price: "price_1" }, site.context());
    await callTool(toolNamed(tools, "stripe_create_invoice"), { customer: "cus_1" }, site.context());
    const [first] = site.calls();
    assert.equal(first?.headers.authorization, "Bearer rk_test_1");
    assert.equal(first?.headers["idempotency-key"], "key-1");
    assert.equal(first?.headers["stripe-version"], "2025-03-31.basil");
    assert.equal(first?.headers["content-type"], "application/x-www-form-urlencoded");
    assert.deepEqual(
      site.calls().map(({ url, body }) => [url, decodeURIComponent(body)]),
      [
        ["/v1/prices", "product=prod_1&unit_amount=1250&currency=eur&recurring[interval]=month"],
        ["/v1/payment_links", "line_items[0][price]=price_1&line_items[0][quantity]=1"],
        ["/v1/invoices", "customer=cus_1&collection_method=send_invoice&days_until_due=30"],
      ],
    );
  });

  it("changes only what is given, and lists by filters", async (t) => {
    const site = await startSite(t, key);
    const tools = await site.build("stripe", { actions: ["updateProduct", "listPrices"] });
    const update = toolNamed(tools, "stripe_update_product");
    await callTool(update, { product: "prod_1", active: false, name: "" }, site.context());
    await callTool(toolNamed(tools, "stripe_list_prices"), { product: "prod_1" }, site.context());
    const nothing = await callTool(update, { product: "prod_1" }, site.context());
    assert.match(nothing.content, /Nothing was called: nothing was to be changed/);
    assert.match((await callTool(update, { product: "..", name: "New" }, site.context())).content, /is not an id/);
    assert.deepEqual(
      site.calls().map(({ method, url, body }) => [`${method} ${url}`, body]),
      [
        ["POST /v1/products/prod_1", "active=false"],
        ["GET /v1/prices?limit=10&product=prod_1", ""],
      ],
    );
  });

  it("repeats a write under the same key where the vendor may have missed it", async (t) => {
    const site = await startSite(t, key, (_request, response) =>
      sendJson(response, 503, { error: { message: "later" } }),
    );
    const [tool] = await site.build("stripe", { actions: ["createCustomer"] });
    assert.ok(tool);
    const { isError } = await callTool(tool, { name: "Ana" }, site.context());
    assert.equal(isError, true);
    assert.deepEqual(
      site.calls().map(({ headers }) => headers["idempotency-key"]),
      ["key-1", "key-1", "key-1"],
    );
  });

  it("cannot be built without a key, and says what Stripe refused", async (t) => {
    const other = await startSite(t, { email: "ana@example.org" });
    const built = other.build("stripe", { actions: ["retrieveBalance"] });
    await assert.rejects(built, { code: "tool-invalid", message: /it needs a Stripe credential/ });
    const error = { message: "The provided key does not have the required permissions.", code: "x" };
    const site = await startSite(t, key, (_request, response) => sendJson(response, 403, { error }));
    const [tool] = await site.build("stripe", { actions: ["retrieveBalance"] });
    assert.ok(tool);
    assert.match(
      (await callTool(tool, {}, site.context())).content,
      /required permissions.*\nIf the credential lacks/s,
    );
  });

  it("makes the request of every action", async (t) => {
    const site = await startSite(t, key);
    assert.deepEqual(await callEveryAction(site, "stripe"), [
      "POST /v1/products",
      "POST /v1/products/value",
      "GET /v1/products",
      "POST /v1/prices",
      "POST /v1/prices/value",
      "GET /v1/prices",
      "POST /v1/payment_links",
      "POST /v1/payment_links/value",
      "GET /v1/payment_links",
      "GET /v1/balance",
      "POST /v1/customers",
      "POST /v1/customers/value",
      "GET /v1/customers",
      "POST /v1/invoices",
      "POST /v1/invoices/value",
      "POST /v1/invoices/value/finalize",
      "GET /v1/invoices",
      "POST /v1/invoiceitems",
      "POST /v1/invoiceitems/value",
      "GET /v1/invoiceitems",
    ]);
  });
});
