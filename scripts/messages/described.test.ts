import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  type Described,
  findDescribed,
  findDescribedFaults,
  findUntranslated,
  listFile,
  readTranslations,
  toList,
} from "./described.ts";
import { readCatalogues } from "./read-messages.ts";
import { sentencesIn } from "./read-sentences.ts";
import { toWholeLanguages } from "./whole-languages.ts";

const described = await findDescribed();
const translations = readTranslations();

test("the list is what the server describes: ./weft messages writes it", () => {
  assert.equal(readFileSync(listFile, "utf8"), toList(described));
});

test("the whole languages are those that lack no text: ./weft messages writes them", () => {
  const { en: english = new Map<string, string>(), ...others } = Object.fromEntries(readCatalogues());
  const file = new URL("../../packages/builder/src/languages/whole-languages.gen.ts", import.meta.url);
  assert.equal(readFileSync(file, "utf8"), toWholeLanguages({ english, others, described, translations }));
});

test("German has every text of the server", () => {
  assert.deepEqual(findUntranslated(described, translations.get("de")), []);
});

for (const [language, translation] of translations) {
  test(`${language} keeps the values, templates, names and code of what the server describes`, () => {
    assert.deepEqual(findDescribedFaults(described, translation), []);
  });
}

const some: Described = {
  texts: new Map([
    ["Query", new Set(["start", "retriever"])],
    ["Read it as {{ $form.name }}, see https://a.example/b.", new Set(["start"])],
  ]),
  sentences: new Set(["Its tool {name} takes no {name2}. Set MCP_SERVERS."]),
};

const german = {
  texts: {
    Query: "Suchanfrage",
    "Query @start": "Query",
    "Read it as {{ $form.name }}, see https://a.example/b.": "Als {{ $form.name }} lesen, siehe https://a.example/b.",
  },
  messages: { "Its tool {name} takes no {name2}. Set MCP_SERVERS.": "{name2} hat {name} nicht. MCP_SERVERS setzen." },
};

test("a translation that says the same has no faults and lacks nothing", () => {
  assert.deepEqual(findDescribedFaults(some, german), []);
  assert.deepEqual(findUntranslated(some, german), []);
});

test("a text is there when each component that has it has its own translation", () => {
  const lacking = (texts: Record<string, string>) => findUntranslated(some, { ...german, texts });
  const { Query: _, ...rest } = german.texts;
  assert.deepEqual(lacking(rest), ["Query"]);
  assert.deepEqual(lacking({ ...rest, "Query @retriever": "Suchanfrage" }), []);
  assert.equal(findUntranslated(some, undefined).length, 3);
});

for (const [fault, texts, messages] of [
  ['"More": English has no such text', { More: "Mehr" }, {}],
  ['"Query @llm": English has no such text', { "Query @llm": "Query" }, {}],
  ['"Query": is empty', { Query: " " }, {}],
  ['"Query": takes {name}, which English does not', { Query: "{name}" }, {}],
  [
    '"Read it as {{ $form.name }}, see https://a.example/b.": loses {{ $form.name }}',
    { "Read it as {{ $form.name }}, see https://a.example/b.": "Als Wert lesen, siehe https://a.example/b." },
    {},
  ],
  [
    '"Its tool {name} takes no {name2}. Set MCP_SERVERS.": loses {name2}',
    {},
    { "Its tool {name} takes no {name2}. Set MCP_SERVERS.": "{name} nicht. MCP_SERVERS setzen." },
  ],
  [
    '"Its tool {name} takes no {name2}. Set MCP_SERVERS.": loses MCP_SERVERS',
    {},
    { "Its tool {name} takes no {name2}. Set MCP_SERVERS.": "{name2} hat {name} nicht." },
  ],
  ['"Gone {x}.": English has no such text', {}, { "Gone {x}.": "Fort {x}." }],
] as const) {
  test(`finds “${fault}”`, () => {
    const faults = findDescribedFaults(some, {
      texts: { ...german.texts, ...texts },
      messages: { ...german.messages, ...messages },
    });
    assert.ok(faults.includes(fault), faults.join("\n"));
  });
}

test("sentences are found in code with the names of their values", () => {
  const source = `
    const sizeWords = { small: "small size" };
    const config = z.string().meta({ help: "Shown in a form." });
    const review = (tool) => [
      { message: "It has no tool. Choose one." },
      { message: \`Its tool \${tool.name} takes no \${name.slice(0, 100)}: \${names.join(", ") || "none"}.\` },
      { message: \`Node "\${label}": \${message}\` },
      { message: \`Not \${sizeWords[size]} enough, \${JSON.stringify(what)} is.\`, fix: { title: "Make it larger", value: 2 } },
    ];
    throw new Error("A fault of the program.");`;
  const { sentences, words } = sentencesIn(source);
  assert.deepEqual(
    [...sentences],
    [
      "It has no tool. Choose one.",
      "Its tool {name} takes no {name2}: {names}.",
      'Node "{label}": {message}',
      "Not {sizeWords} enough, {what} is.",
    ],
  );
  assert.deepEqual([...words], ["small size", "Make it larger"]);
});
