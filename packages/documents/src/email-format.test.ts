import assert from "node:assert/strict";
import { test } from "node:test";
import { toText } from "./index.ts";
import { buildDocx, wordParagraph } from "./testing/office-files.ts";
import { openTestReader } from "./testing/open-test-reader.ts";
import { buildPdf } from "./testing/pdf-files.ts";
import { buildZipBomb } from "./testing/zip-bomb.ts";

const reader = openTestReader();

const head =
  "From: Ann <ann@example.org>\nTo: bob@example.org\nSubject: The lamp\nDate: Thu, 26 Nov 2026 10:00:00 +0100\n";
const shown = "From: Ann <ann@example.org>\nTo: bob@example.org\nDate: 2026-11-26T09:00:00.000Z\nSubject: The lamp";
const plain = (text: string, headers = "Content-Type: text/plain; charset=utf-8\n") => `${headers}\n${text}`;
const html = (text: string) => `Content-Type: text/html; charset=utf-8\n\n${text}`;
const multipart = (kind: string, parts: readonly string[], boundary = "part") =>
  `Content-Type: multipart/${kind}; boundary="${boundary}"\n\n${parts.map((part) => `--${boundary}\n${part}\n`).join("")}--${boundary}--\n`;
const attached = (name: string, type: string, bytes: Uint8Array | string) =>
  `Content-Type: ${type}; name="${name}"\nContent-Disposition: attachment; filename="${name}"\nContent-Transfer-Encoding: base64\n\n${Buffer.from(bytes).toString("base64")}`;
const mixed = (...parts: string[]) => head + multipart("mixed", [plain("Lit."), ...parts]);

test("a message is its headers and its text", async () => {
  const headers =
    "From: =?utf-8?q?Ann_L=C3=A9e?= <ann@example.org>\nTo: Crew: bob@example.org, Cy <cy@example.org>;\nCc: dee@example.org\nSubject: =?iso-8859-1?q?L=E4mp?=\n";
  const content = await reader.read("a.eml", headers + plain("Lit.\r\nAt dusk.\r\n"));
  assert.deepEqual(content, {
    format: "email",
    metadata: {
      title: "Lämp",
      from: "Ann Lée <ann@example.org>",
      to: "bob@example.org, Cy <cy@example.org>",
      cc: "dee@example.org",
    },
    sections: [
      {
        text: "From: Ann Lée <ann@example.org>\nTo: bob@example.org, Cy <cy@example.org>\nCc: dee@example.org\nSubject: Lämp\n\nLit.\nAt dusk.",
        metadata: {},
      },
    ],
  });
  assert.equal((await reader.read("message", head + plain("x"), "message/rfc822")).format, "email");
});

const encodedHeaders = (encoding: string, charset: string) =>
  `Content-Type: text/plain; charset=${charset}\nContent-Transfer-Encoding: ${encoding}\n`;
for (const [what, body, expected] of [
  ["plain text before HTML", multipart("alternative", [plain("Lit."), html("<p>Bright</p>")]), "Lit."],
  ["HTML where there is nothing else", html("<h1>The lamp</h1><ul><li>Oil</ul>"), "# The lamp\n\n- Oil"],
  ["quoted-printable", plain("caf=E9 =\nau lait", encodedHeaders("quoted-printable", "iso-8859-1")), "café au lait"],
  ["Base64 in Shift-JIS", plain("k/qWew==", encodedHeaders("base64", "shift_jis")), "日本"],
  ["an encoding that nobody knows", plain("lit", encodedHeaders("8bit", "x-unknown")), "lit"],
] as const) {
  test(`a message in ${what}`, async () => {
    assert.equal(await reader.text("a.eml", head + body), `${shown}\n\n${expected}`);
  });
}

test("a message that says nothing of its encoding", async () => {
  const russian = Buffer.from([
    0xfd, 0xd4, 0xcf, 0x20, 0xd2, 0xd5, 0xd3, 0xd3, 0xcb, 0xc9, 0xca, 0x20, 0xd4, 0xc5, 0xcb, 0xd3, 0xd4, 0x20, 0xc4,
    0xcc, 0xd1,
  ]);
  const text = await reader.text("a.eml", Buffer.concat([Buffer.from(`${head}\n`), russian.subarray(1)]));
  assert.ok(text.endsWith("то русский текст для"), text);
});

test("attachments are read as files of their own, and named", async () => {
  const inner = `Content-Type: message/rfc822\n\nFrom: cy@example.org\nSubject: Oil\n${multipart("mixed", [plain("Seven."), attached("n.txt", "text/plain", "note")], "inner")}`;
  const content = await reader.read(
    "a.eml",
    mixed(
      attached("r.pdf", "application/octet-stream", buildPdf([["First"], ["Second"]])),
      attached("d.docx", "application/msword", buildDocx({ body: wordParagraph("Word") })),
      inner,
    ),
  );
  assert.deepEqual(
    content.sections.map(({ text, metadata }) => [text, metadata]),
    [
      [`${shown}\n\nLit.`, {}],
      ["First", { page: 1, attachment: "r.pdf" }],
      ["Second", { page: 2, attachment: "r.pdf" }],
      ["Word", { attachment: "d.docx" }],
      ["From: cy@example.org\nSubject: Oil\n\nSeven.", { attachment: "Oil.eml" }],
      ["note", { attachment: "Oil.eml/n.txt" }],
    ],
  );
  assert.match(
    toText(content),
    /Lit\.\n\n\[Attachment: r\.pdf\]\n\nFirst\n\nSecond\n\n\[Attachment: d\.docx\]\n\nWord\n\n/,
  );
});

test("attachments that cannot be read are named, and their message is read", async () => {
  const content = await reader.read(
    "a.eml",
    mixed(
      attached("p.png", "image/png", "x"),
      attached("b.docx", "application/msword", buildZipBomb()),
      attached("c.pdf", "application/pdf", "%PDF-1.4 damaged"),
      attached("e.txt", "text/plain", ""),
      attached("s.p7s", "application/pkcs7-signature", "x"),
      multipart("related", ["Content-Type: image/png\nContent-ID: <logo>\n\nx"], "logo"),
    ),
  );
  assert.equal(content.sections.length, 1);
  assert.deepEqual(content.metadata.skippedAttachments, ["p.png", "b.docx", "c.pdf", "e.txt"]);
  assert.match(toText(content), /\[Attachments that cannot be read: p\.png, b\.docx, c\.pdf, e\.txt\]$/);
});

test("reports of servers are read, and text that says nothing of its type", async () => {
  const content = await reader.read(
    "a.eml",
    head + multipart("report", [plain("Sorry."), "Content-Type: message/delivery-status\n\nAction: failed"]),
  );
  assert.deepEqual(
    content.sections.map(({ text }) => text),
    [`${shown}\n\nSorry.`, "Action: failed\n"],
  );
  assert.match(toText(await reader.read("a.eml", `${head}Content-Type: text\n\nLit.`)), /Lit\.\n?$/);
  assert.match(
    toText(await reader.read("a.eml", `${head}Content-Type: multipart/mixed\n\n--lost\n\nLit.`)),
    /--lost\n\nLit\.$/,
  );
});

test("messages within messages end somewhere", async () => {
  let message = head + plain("innermost");
  for (let level = 0; level < 12; level += 1) message = `${head}Content-Type: message/rfc822\n\n${message}`;
  const content = await reader.read("a.eml", message);
  assert.equal(content.sections.length, 6);
  assert.equal(content.metadata.skippedAttachments?.length, 1);
  assert.ok(!toText(content).includes("innermost"));
});

test("messages that cannot be read say why", async () => {
  await reader.refuses("a.eml", "just a text", /it is no e-mail/);
  await reader.refuses(
    "a.eml",
    head + multipart("encrypted", ["Content-Type: application/pgp-encrypted\n\nVersion: 1"]),
    /it is encrypted/,
  );
  await reader.refuses("a.eml", `${head}X-Long: ${"x".repeat(3_000_000)}\n\n`, /its headers are too long/);
  let nested = plain("x");
  for (let level = 0; level < 300; level += 1) nested = multipart("mixed", [nested], `b${level}`);
  await reader.refuses("a.eml", head + nested, /nested too deeply/);
  await reader.refuses("a.eml", head + html("<b>".repeat(1_000)), /nested more than 500 levels deep/);
  const small = openTestReader({ textCharacters: 1_000 });
  const long = attached("a.txt", "text/plain", "x".repeat(2_000));
  await small.refuses("a.eml", mixed(long), /longer than 1000 characters/);
});
