import assert from "node:assert/strict";
import { test } from "node:test";
import { findFaults } from "./find-faults.ts";

const english = {
  save: "Save",
  unit: "ms",
  hint: "Set ALLOW_PUBLIC_FLOWS=true and read {{ $vars.name }}.",
  steps: (count: number) => (count === 1 ? "1 step" : `${count} steps`),
  opened: (name: string, users: number) => `${name} is open to ${users} users`,
  listed: (names: readonly string[]) => `Called ${names.join(", ")}`,
  parts: ({ exact }: { exact: number }) => `${exact} converted`,
  form: { variables: [{ path: "question", title: "The message" }], places: { path: "Path" } },
  rows: [{ cron: "0 * * * *", title: "Every hour" }],
};

const german = {
  save: "Speichern",
  unit: "ms",
  hint: "ALLOW_PUBLIC_FLOWS=true setzen und {{ $vars.name }} lesen.",
  steps: (count: number) => (count === 1 ? "1 Schritt" : `${count} Schritte`),
  opened: (name: string, users: number) => `${name} ist für ${users} Personen offen`,
  listed: (names: readonly string[]) => `${names.join(", ")} aufgerufen`,
  parts: ({ exact }: { exact: number }) => `${exact} umgewandelt`,
  form: { variables: [{ path: "question", title: "Die Nachricht" }], places: { path: "Pfad" } },
  rows: [{ cron: "0 * * * *", title: "Jede Stunde" }],
};

const none = { sameText: [], samePlural: [] };

test("finds nothing wrong with a translation that says the same", () => {
  assert.deepEqual(findFaults("de", english, german, none), []);
});

const faulty: [fault: RegExp, change: object][] = [
  [/^save: is the English text “/, { save: "Save" }],
  [/^save: is empty$/, { save: " " }],
  [/^save: is missing$/, { save: undefined }],
  [/^more: is superfluous$/, { more: "Mehr" }],
  [/^save: is function, in English string$/, { save: () => "Speichern" }],
  [/^hint: loses \{\{ \$vars\.name \}\}$/, { hint: "ALLOW_PUBLIC_FLOWS=true setzen." }],
  [/^hint: loses ALLOW_PUBLIC_FLOWS=true$/, { hint: "ALLOW setzen und {{ $vars.name }} lesen." }],
  [/^steps: is the same for 1 and 2$/, { steps: (count: number) => `${count} Schritte` }],
  [/^steps: loses 5/, { steps: (count: number) => (count === 1 ? "1 Schritt" : "Schritte") }],
  [/^steps: is the English text “/, { steps: english.steps }],
  [/^opened: loses 0 of/, { opened: (_: string, users: number) => `Offen für ${users} Personen` }],
  [/^opened: says “0: undefined/, { opened: (name: string, users: number) => `${name}: ${Object(users).no} ${users}` }],
  [/^listed: throws/, { listed: (names: readonly string[]) => `${Object(names).no.join()}` }],
  [/^listed: loses "second"/, { listed: (names: readonly string[]) => `${names[0] ?? ""} aufgerufen` }],
  [
    /^parts: throws|^parts: says/,
    { parts: ({ inexact }: { inexact: number }) => `${Object(inexact).no.no} umgewandelt` },
  ],
  [/^rows\.0\.cron: must be “0 \* \* \* \*”$/, { rows: [{ cron: "1 * * * *", title: "Jede Stunde" }] }],
];

for (const [fault, change] of faulty) {
  test(`finds ${fault.source}`, () => {
    const entries = Object.entries({ ...german, ...change }).filter(([, text]) => text !== undefined);
    const found = findFaults("de", english, Object.fromEntries(entries), none);
    assert.ok(
      found.some((sentence) => fault.test(sentence)),
      JSON.stringify(found),
    );
  });
}

test("allows what a language says like English, and wants such exceptions to be needed", () => {
  const names = [{ name: "Name", nodes: (count: number) => `${count} ${count === 1 ? "Tool" : "Tools"}` }] as const;
  const same = [{ name: "Name", nodes: (count: number) => `${count} Werkzeug` }] as const;
  const exceptions = { sameText: ["Name"], samePlural: ["0.nodes"] };
  assert.deepEqual(findFaults("de", names, same, exceptions), []);
  assert.deepEqual(findFaults("ja", names, same, { ...exceptions, samePlural: [] }), []);
  assert.deepEqual(findFaults("de", english, german, { ...none, sameText: ["save"] }), [
    "save: stands in sameText without need",
  ]);
});
