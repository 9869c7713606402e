import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toSources } from "./to-sources.ts";

describe("the sources of an answer", () => {
  it("have a name, an address, their words and what else is known of them", () => {
    const id = "01a213fd-1082-7795-8040-b6ef119ce9c4";
    const metadata = {
      source: "https://plants.example/ferns",
      title: "Ferns",
      page: 3,
      loc: { from: 1 },
      note: null,
      id,
    };
    assert.deepEqual(toSources([{ pageContent: " Ferns like shade. ", metadata }]), [
      {
        title: "Ferns",
        href: "https://plants.example/ferns#page=3",
        text: "Ferns like shade.",
        facts: [
          { name: "source", value: "https://plants.example/ferns" },
          { name: "page", value: "3" },
          { name: "loc", value: '{"from":1}' },
        ],
      },
    ]);
  });

  it("have the number by which the answer cites them, which is no fact of theirs", () => {
    const [cited, other] = toSources([
      { pageContent: "x", metadata: { citationNumber: 2, isCited: true } },
      { pageContent: "x", metadata: { citationNumber: "2", isCited: true } },
    ]);
    assert.deepEqual(cited, { title: "", text: "x", number: 2, isCited: true, facts: [] });
    assert.deepEqual(other, { title: "", text: "x", facts: [] });
  });

  it("lead nowhere but to pages", () => {
    const addresses = ["javascript:alert(1)", "data:text/html,x", "mailto:a@b.example", "/etc/passwd", "notes.txt"];
    for (const source of addresses) {
      const [found] = toSources([{ pageContent: "x", metadata: { source } }]);
      assert.equal(found?.title, source);
      assert.equal(found?.href, undefined, source);
    }
    const [both] = toSources([{ pageContent: "x", metadata: { url: "javascript:1", source: "http://a.example/" } }]);
    assert.equal(both?.href, "http://a.example/");
  });

  it("are as many and as long as a page and the browser's storage bear", () => {
    const long = { pageContent: "x".repeat(10_000), metadata: { source: "y".repeat(10_000) } };
    const found = toSources(Array.from({ length: 200 }, () => long));
    assert.equal(found.length, 50);
    assert.ok(JSON.stringify(found).length < 150_000);
    assert.ok(found[0]?.text.endsWith("x…"));
  });

  it("are none where nothing readable came", () => {
    for (const nothing of [undefined, null, "text", {}, [null, 1, {}, { pageContent: 5 }]]) {
      assert.deepEqual(toSources(nothing), []);
    }
    assert.deepEqual(toSources([{ pageContent: "x", metadata: null }]), [{ title: "", text: "x", facts: [] }]);
  });
});
