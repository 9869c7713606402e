import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { composeEntry, type Fragment, readFragments, releaseEntry } from "./release/compose-entry.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const changelog =
  "# Changelog\n\nEvery release.\n\n## Unreleased\n\n### Fixed\n- Old.\n\n## 0.3.0 (2026-11-27)\n\n- First.\n";
const fragments: Fragment[] = [
  {
    name: "changes/a.md",
    text: "## Changed\n- **Uploads** are stored while they arrive.\n\n## Headlines\n- Less memory.\n",
  },
  { name: "changes/b.md", text: "## Fixed\n\n- New.\n" },
];

test("an entry has headlines first, then what stood under Unreleased and what each fragment says", () => {
  const entry = composeEntry(changelog, fragments);
  assert.equal(
    entry,
    "### Headlines\n- Less memory.\n\n### Changed\n- **Uploads** are stored while they arrive.\n\n### Fixed\n- Old.\n- New.\n",
  );
  const released =
    "# Changelog\n\nEvery release.\n\n## 0.4.0 (2026-12-01)\n\n- X.\n\n## 0.3.0 (2026-11-27)\n\n- First.\n";
  assert.equal(releaseEntry(changelog, "0.4.0 (2026-12-01)", "- X.\n"), released);
  const without = changelog.replace(/## Unreleased[\s\S]*(?=## 0)/, "");
  assert.equal(releaseEntry(without, "0.4.0 (2026-12-01)", "- X.\n"), released);
  assert.equal(composeEntry(without, []), "");
});

test("what is no change is refused, with its file", () => {
  const refused = (text: string, message: RegExp) =>
    assert.throws(() => composeEntry(changelog, [{ name: "changes/c.md", text }]), { message });
  refused("", /changes\/c\.md: it says nothing/);
  refused("## Added\n", /it says nothing/);
  refused("- Item.\n", /begin with a heading/);
  refused("## Added\nItem.\n", /each item with "- "/);
  refused("## New\n- Item.\n", /"New" is not a heading for changes\. Use one of: Headlines, Restricted/);
  refused(`## Headlines\n${"- One.\n".repeat(6)}`, /6 headlines in changes\/, and a release has at most 5/);
});

test("the changes of the next release make an entry", () => {
  assert.ok(composeEntry(readFileSync(`${root}CHANGELOG.md`, "utf8"), readFragments(root)).length > 0);
});
