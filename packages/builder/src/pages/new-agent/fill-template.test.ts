import assert from "node:assert/strict";
import { it } from "node:test";
import type { Template } from "@weft/client";
import { fillTemplate } from "./fill-template.ts";

const flow = { url: "{{ $vars.orderApi }}/orders", other: "{{ $vars.mailApi }}" };
const template = {
  flowData: JSON.stringify(flow),
  needs: [
    { kind: "service", name: "orderApi", title: "Orders" },
    { kind: "service", name: "mailApi", title: "Mail" },
  ],
} as Template;

it("puts an address where its variable stands, and leaves the others", () => {
  const filled = JSON.parse(fillTemplate(template, { orderApi: "https://orders.example.com/", mailApi: " " }));
  assert.deepEqual(filled, { url: "https://orders.example.com/orders", other: "{{ $vars.mailApi }}" });
});

it("stays JSON whatever is typed", () => {
  const filled = JSON.parse(fillTemplate(template, { orderApi: 'https://x.example/"$&\\' }));
  assert.equal(filled.url, 'https://x.example/"$&\\/orders');
});
