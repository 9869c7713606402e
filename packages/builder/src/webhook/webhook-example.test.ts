import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { webhookExample } from "./webhook-example.ts";
import { webhookCallOf } from "./webhook-settings.ts";

const url = "https://weft.example/webhook/1";
const example = (webhook: object) => webhookExample(url, webhookCallOf({ webhook: { ...webhook } }), "SECRET");

describe("the example request of a webhook", () => {
  it("sends what the settings ask for", () => {
    const token = example({ method: "PUT", contentType: "text/plain", auth: { type: "plain-token", header: "x-key" } });
    assert.equal(
      token,
      `SECRET='SECRET'\nBODY='Hello!'\ncurl -X PUT '${url}' \\\n  -H "Content-Type: text/plain" \\\n  -H "x-key: $SECRET" \\\n  -d "$BODY"`,
    );
    assert.match(example({}), /webhook-signature: v1,\$SIGNATURE/);
    assert.match(example({ auth: { type: "hmac-sha256" } }), /x-webhook-signature: sha256=\$SIGNATURE/);
    assert.doesNotMatch(example({ auth: { type: "none" } }), /SECRET/);
    assert.doesNotMatch(example({ method: "GET", auth: { type: "none" } }), /-d |Content-Type/);
  });

  it("holds nothing of a draft that a shell would run", () => {
    for (const attack of ['x"; touch /tmp/attacked; "', "$(touch attacked)", "`id`", "a\nb", "'"]) {
      for (const type of ["plain-token", "hmac-sha256", "standard-webhooks", attack]) {
        const script = example({
          method: attack,
          contentType: attack,
          auth: { type, header: attack, credential: attack },
        });
        assert.ok(!script.includes("attacked") && !script.includes("`id`") && !script.includes("a\nb"), script);
      }
    }
  });
});
