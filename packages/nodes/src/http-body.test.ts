import assert from "node:assert/strict";
import { after, beforeEach, describe, it } from "node:test";
import { hostile, openHttpTarget } from "./testing/http-target.ts";

const target = await openHttpTarget();
const { base, received, last, run } = target;

describe("http node", () => {
  after(target.close);
  beforeEach(target.reset);

  describe("body", () => {
    it("sends none with GET and HEAD, whatever is configured", async () => {
      for (const method of ["GET", "HEAD"]) {
        received.length = 0;
        await run({ method, url: base, bodyType: "json", body: '{"a":1}' });
        assert.equal(last().body, "");
        assert.equal(last().headers["content-type"], undefined);
      }
    });

    it("sends none when there is none", async () => {
      for (const config of [{}, { bodyType: "json", body: " \n" }]) {
        received.length = 0;
        await run({ method: "POST", url: base, ...config });
        assert.equal(last().body, "");
        assert.equal(last().headers["content-type"], undefined);
      }
    });

    it("sends JSON in which values stay values", async () => {
      for (const question of hostile) {
        received.length = 0;
        const body =
          '{"text": "He said: {{ question }}", "whole": {{ question }}, "n": {{ $vars.n }}, "list": [{{ $vars.list }}]}';
        await run(
          { method: "POST", url: base, bodyType: "json", body },
          { input: { question }, vars: { n: 3, list: ["a", null], key: "s3cret" } },
        );
        assert.equal(last().headers["content-type"], "application/json");
        assert.deepEqual(JSON.parse(last().body), {
          text: `He said: ${question}`,
          whole: question,
          n: 3,
          list: [["a", null]],
        });
      }
    });

    it("says when its JSON is none", async () => {
      const { error } = await run({ method: "POST", url: base, bodyType: "json", body: "{text: 1}" });
      assert.match(error?.message ?? "", /^The JSON body is not valid JSON: /);
      assert.equal(received.length, 0);
    });

    it("sends raw text as it is rendered, of the type its header names", async () => {
      const body = "<a>{{ question }}</a>";
      await run({ method: "PUT", url: base, bodyType: "raw", body });
      assert.equal(last().body, "<a>hello</a>");
      assert.equal(last().headers["content-type"], "text/plain; charset=utf-8");
      received.length = 0;
      const headers = [{ key: "Content-Type", value: "application/xml" }];
      await run({ method: "PUT", url: base, bodyType: "raw", body, headers });
      assert.equal(last().headers["content-type"], "application/xml");
    });

    it("sends a form in which values stay values", async () => {
      for (const question of hostile) {
        received.length = 0;
        const form = [
          { key: "a", value: "{{ question }}" },
          { key: "b&c", value: "1" },
          { key: "", value: "unnamed" },
        ];
        await run(
          { method: "POST", url: base, bodyType: "x-www-form-urlencoded", form },
          { input: { question }, vars: { key: "s3cret" } },
        );
        assert.equal(last().headers["content-type"], "application/x-www-form-urlencoded");
        assert.deepEqual(
          [...new URLSearchParams(last().body)],
          [
            ["a", question],
            ["b&c", "1"],
          ],
        );
      }
    });

    it("sends multipart data that reads back as it was", async () => {
      const boundary = "weft-run-1";
      const values = [
        ...hostile,
        boundary,
        `--${boundary}--`,
        `\r\n--${boundary}-\r\nContent-Disposition: form-data; name="admin"\r\n\r\n1`,
      ];
      for (const question of values) {
        received.length = 0;
        const form = [
          { key: "a", value: "{{ question }}" },
          { key: 'na"m\r\ne', value: "1" },
        ];
        await run(
          { method: "POST", url: base, bodyType: "form-data", form },
          { input: { question }, vars: { key: "s3cret" } },
        );
        const headers = { "content-type": String(last().headers["content-type"]) };
        const data = await new Response(last().body, { headers }).formData();
        assert.deepEqual(
          [...data],
          [
            ["a", question],
            ['na"m\r\ne', "1"],
          ],
        );
      }
    });
  });
});
