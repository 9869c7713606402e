// @process browser: a document in place of globals of Node.
import "../../testing/browser.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cleanup, screen, within } from "@testing-library/react";
import type { Json } from "@weft/client";
import { renderApp } from "../../testing/render-app.tsx";
import { entriesOf, type JsonBranch, openAtFirst, parseBranch } from "./json-entries.ts";
import { JsonTree } from "./json-tree.tsx";
import { LongText } from "./long-text.tsx";

const names = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent);

describe("a value as a tree", () => {
  it("opens what is short, and makes what is closed only when it is opened", async (t) => {
    const many = Array.from({ length: 60 }, (_, index) => index);
    const user = renderApp(t, <JsonTree value={{ city: "London", where: { lat: 51.5 }, many }} label="Output" />);
    const tree = within(screen.getByRole("group", { name: "Output" }));
    assert.ok(tree.getByText("51.5"), "a short branch is open");
    const fold = tree.getByRole("button", { name: "many 60 items" });
    assert.equal(fold.getAttribute("aria-expanded"), "false");
    assert.equal(names().length, 4);
    fold.focus();
    await user.keyboard("{Enter}");
    assert.equal(fold.getAttribute("aria-expanded"), "true");
    assert.equal(names().length, 64);
    await user.keyboard("{Enter}");
    assert.equal(names().length, 4);
  });

  it("shows a long list and a long text in parts, and all of it on request", async (t) => {
    const list = Array.from({ length: 650 }, (_, index) => `item ${index}`);
    const text = `${"a".repeat(400)} end`;
    const user = renderApp(t, <JsonTree value={{ text, list }} label="Output" />);
    assert.ok(screen.queryByText(/ end$/) === null);
    await user.click(screen.getByRole("button", { name: "Show all 404 characters" }));
    assert.ok(screen.getByText(text));
    await user.click(screen.getByRole("button", { name: "list 650 items" }));
    assert.ok(screen.getByText("item 99"));
    assert.ok(screen.queryByText("item 100") === null);
    await user.click(screen.getByRole("button", { name: "Show 200 more of 550" }));
    assert.ok(screen.getByText("item 299"));
    await user.click(screen.getByRole("button", { name: "Show 200 more of 350" }));
    await user.click(screen.getByRole("button", { name: "Show all 650" }));
    assert.ok(screen.getByText("item 649"));
    assert.ok(screen.queryByRole("button", { name: /^Show/ }) === null);
  });

  it("says all of a text that is shown in parts", async (t) => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `line ${index} ${"x".repeat(index % 7)}`).join("\n");
    for (const text of [lines, "y".repeat(50_001), `${"word ".repeat(9_000)}end`]) {
      const user = renderApp(t, <LongText text={text} limit={100} className="shown" />);
      await user.click(screen.getByRole("button", { name: /^Show all/ }));
      const parts = [...document.querySelectorAll(".shown > span > span")].map(({ textContent }) => textContent ?? "");
      assert.ok(parts.length > 4 && parts.every((part) => part.length <= 10_000));
      assert.equal(parts.join(text === lines ? "\n" : ""), text);
      cleanup();
    }
  });

  it("copies values and paths, and says so", async (t) => {
    const value = { "two words": [{ name: "Ada" }], none: null, empty: {} };
    const user = renderApp(t, <JsonTree value={value} label="Output" path="llm_0.output" />);
    const copied = () => navigator.clipboard.readText();
    await user.click(screen.getByRole("button", { name: "Copy path of name" }));
    assert.equal(await copied(), 'llm_0.output["two words"][0].name');
    assert.ok(screen.getByText("Copied"));
    await user.click(screen.getByRole("button", { name: "Copy value of name" }));
    assert.equal(await copied(), "Ada");
    await user.click(screen.getByRole("button", { name: "Copy value of none" }));
    assert.equal(await copied(), "null");
    await user.click(screen.getByRole("button", { name: "Copy value of Output" }));
    assert.deepEqual(JSON.parse(await copied()), value);
    assert.ok(screen.getByText("{ }"));
  });

  it("takes a text for JSON only where it is an object or a list", () => {
    assert.deepEqual(parseBranch(' {"a":[1]}'), { a: [1] });
    for (const text of ["", "7", '"{}"', "{a}", "[1,", "[see below]", `[${"1,".repeat(2_500_000)}1]`]) {
      assert.equal(parseBranch(text), undefined, text.slice(0, 20));
    }
  });

  it("needs no longer for a value that is huge, deep or odd", () => {
    const huge = Array.from({ length: 200_000 }, (_, index) => ({ index }));
    assert.equal(entriesOf(huge, "", 3).length, 3);
    assert.deepEqual([...openAtFirst(huge as Json, "")], [""]);
    let deep: JsonBranch = {};
    for (let level = 0; level < 5_000; level += 1) deep = { deep };
    assert.equal(openAtFirst(deep, "").size, 40);
    assert.deepEqual(
      entriesOf({ constructor: 1, "a.b": 2, ä: 3 } as JsonBranch, "x").map(({ path }) => path),
      ["x.constructor", 'x["a.b"]', "x.ä"],
    );
  });
});
