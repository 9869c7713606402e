import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import { createIcon } from "./create-icon.ts";

const Check = createIcon("check", [["path", { d: "M20 6 9 17l-5-5" }]]);

test("an icon takes size, colour and class, and is hidden from screen readers", () => {
  assert.equal(
    renderToStaticMarkup(<Check size={16} color="red" strokeWidth={1.5} className="mark" data-open />),
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 24 24" fill="none" stroke="red" ' +
      'stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" class="lucide lucide-check mark" ' +
      'aria-hidden="true" data-open="true"><path d="M20 6 9 17l-5-5"></path></svg>',
  );
});

test("an icon with a name of its own is read", () => {
  for (const icon of [<Check key={1} aria-label="Done" />, <Check key={2} role="img" />]) {
    assert.doesNotMatch(renderToStaticMarkup(icon), /aria-hidden/);
  }
});
