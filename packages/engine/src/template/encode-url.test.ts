import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Json, type JsonObject, WeftError } from "@weft/schema";
import fc from "fast-check";
import { hostileText } from "../testing/hostile-text.ts";
import { encodeForUrl, renderTemplate } from "./render-template.ts";

function render(text: string, values: JsonObject): Json {
  const root = (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined);
  return renderTemplate(text, { root, node: () => undefined }, { onUnknown: () => undefined, encode: encodeForUrl });
}

describe("URLs with references", () => {
  it("keeps a value in its path segment, query value or fragment", () => {
    const hostile = [
      "../",
      "a/../b",
      "/etc",
      "?admin=1",
      "&admin=1",
      "#x",
      "a=b",
      "%2e%2e",
      "\\..\\",
      "\r\nX: y",
      "é 😀",
      ";",
    ];
    for (const q of hostile) {
      const url = new URL(String(render("http://api.test/v1/{{ q }}/end?x={{ q }}&y=1#{{ q }}", { q })));
      assert.equal(url.host, "api.test");
      assert.deepEqual(url.pathname.split("/").map(decodeURIComponent), ["", "v1", q, "end"]);
      assert.deepEqual(
        [...url.searchParams],
        [
          ["x", q],
          ["y", "1"],
        ],
      );
      assert.equal(decodeURIComponent(url.hash.slice(1)), q);
    }
  });

  it("refuses dot segments in a path and takes them in a query", () => {
    for (const q of [".", ".."]) {
      assert.throws(() => render("http://api.test/{{ q }}/x", { q }), WeftError);
      assert.throws(() => render("http://api.test/a{{ q }}", { q }), /must not be/);
      assert.equal(render("http://api.test/x?q={{ q }}", { q }), `http://api.test/x?q=${q}`);
    }
    assert.equal(render("http://api.test/{{ q }}", { q: "..." }), "http://api.test/...");
  });

  it("cannot leave its place with any value", () => {
    const property = fc.property(hostileText, (q) => {
      fc.pre(q !== "." && q !== "..");
      const url = new URL(String(render("http://api.test/a/{{ q }}/b?q={{ q }}", { q })));
      assert.equal(url.pathname.split("/").length, 4);
      assert.deepEqual([...url.searchParams.keys()], ["q"]);
      assert.equal(url.origin, "http://api.test");
    });
    fc.assert(property);
  });

  it("takes a value that begins the template as the address", () => {
    assert.equal(
      render("{{ base }}/events/{{ q }}", { base: "https://api.test/v1", q: "a/b" }),
      "https://api.test/v1/events/a%2Fb",
    );
    assert.equal(render("{{ base }}", { base: "https://api.test/?a=b" }), "https://api.test/?a=b");
  });

  it("encodes what follows an empty value at the beginning: it must not become the address", () => {
    const evil = "http://evil.test/";
    assert.equal(render("{{ base }}{{ q }}", { base: "", q: evil }), encodeURIComponent(evil));
    assert.equal(render("{{ gone }}{{ q }}", { q: evil }), encodeURIComponent(evil));
  });

  it("encodes values that are no text, and half characters", () => {
    assert.equal(render("http://api.test/{{ q }}", { q: 7 }), "http://api.test/7");
    assert.equal(render("http://api.test/?q={{ q }}", { q: { a: [1] } }), "http://api.test/?q=%7B%22a%22%3A%5B1%5D%7D");
    assert.equal(render("http://api.test/{{ q }}", { q: "\ud800" }), "http://api.test/%EF%BF%BD");
    assert.equal(render("http://api.test/{{ q }}", { q: null }), "http://api.test/");
  });
});
