import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { buildUrl } from "./build-url.ts";

const odd = fc.string({ unit: fc.constantFrom(..."./\\%2eE5cf?#:{}@ä&=;\r\n\0a ".split("")), maxLength: 12 });

test("whatever a path value is, it is refused or stays one segment that decodes to itself", () => {
  fc.assert(
    fc.property(fc.oneof(odd, fc.string({ unit: "binary" })), fc.constantFrom("", "/{id}", "/:id"), (value, place) => {
      const built = buildUrl(`http://api.test/v1/events${place}?k=1`, [{ argument: "id", name: "id", value }], []);
      if (!built.ok) return;
      const url = new URL(built.value.url);
      assert.equal(url.host, "api.test");
      assert.equal(url.search, "?k=1");
      const segments = url.pathname.split("/");
      assert.deepEqual(segments.slice(0, 3), ["", "v1", "events"]);
      assert.equal(segments.length, 4);
      assert.equal(decodeURIComponent(segments[3] ?? ""), value);
    }),
    { numRuns: 500 },
  );
});

test("text that is no well-formed Unicode is refused", () => {
  assert.equal(buildUrl("http://api.test/x", [{ argument: "id", name: "id", value: "\ud800" }], []).ok, false);
});
