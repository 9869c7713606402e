import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { drawIcons, iconsFile, listIcons } from "./icons.ts";

test("the builder has the icons that it imports", () => {
  const names = listIcons();
  assert.ok(names.length > 100);
  assert.equal(readFileSync(iconsFile, "utf8"), drawIcons(names), "./weft icons");
});

test("an icon that does not exist is refused", () => {
  assert.throws(() => drawIcons(["NoSuchIcon"]), /lucide-react has no icon NoSuchIcon/);
});
