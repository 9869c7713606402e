// @tier long: five thousand texts of 200,000 characters take half a minute.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseLenientJson } from "../packages/dialects/src/agentflow-v2/lenient-json.ts";
import { rewriteReferences } from "../packages/dialects/src/agentflow-v2/references.ts";
import { toMarkdown } from "../packages/dialects/src/agentflow-v2/rich-text.ts";
import { readMessageCode } from "../packages/dialects/src/flowise-classic/message-code.ts";
import { parsePromptText } from "../packages/dialects/src/flowise-classic/prompt-text.ts";
import { parseZodText } from "../packages/dialects/src/flowise-classic/zod-text.ts";
import { readFlow } from "../packages/dialects/src/read-flow.ts";
import { parseDataUrlFile } from "../packages/document-stores/src/files/document-files.ts";
import { createRedactor, withoutPlaceholders } from "../packages/egress/src/secret-vault.ts";
import { fencePassage } from "../packages/engine/src/agent/cite-passages.ts";
import { markData, withoutMarks } from "../packages/engine/src/agent/mark-data.ts";
import { readAnswer } from "../packages/engine/src/agent/read-answer.ts";
import { readArguments } from "../packages/engine/src/agent/read-arguments.ts";
import { normaliseBaseUrl } from "../packages/engine/src/http/base-url.ts";
import { toReason } from "../packages/engine/src/http/network-error.ts";
import {
  encodeForUrl,
  parseTemplate,
  renderJson,
  renderTemplate,
  type TemplateScope,
} from "../packages/engine/src/template/render-template.ts";
import { toClientAddress } from "../packages/http/src/connection-guard.ts";
import { readQuery } from "../packages/http/src/route/parse-request.ts";
import { parseDecimal } from "../packages/integrations/src/calculator/number.ts";
import { checkHeader } from "../packages/integrations/src/calls/check-arguments.ts";
import { hasPlace } from "../packages/integrations/src/calls/parameter-schema.ts";
import { toPlainText } from "../packages/integrations/src/calls/plain-text.ts";
import { toToolName } from "../packages/integrations/src/tool-name.ts";
import { toDocument } from "../packages/integrations/src/vendor-actions/jira.ts";
import { isHtml } from "../packages/integrations/src/vendor-actions/mime-message.ts";
import { decodePage } from "../packages/knowledge/src/html/decode-page.ts";
import { selectElements } from "../packages/knowledge/src/html/parse-page.ts";
import { findJson } from "../packages/nodes/src/read-json.ts";
import { createEventReader } from "../packages/providers/src/chat-completions/event-stream.ts";
import { parseRobots } from "../packages/providers/src/loaders/crawl/crawl-frontier.ts";
import {
  answerFromPassages,
  createRehearsalModel,
  readPassages,
} from "../packages/providers/src/rehearsal/rehearsal-model.ts";
import { splitText } from "../packages/providers/src/speech/speaker.ts";
import { jsonDepth } from "../packages/sandbox/src/outcome.ts";
import { partDocuments } from "../packages/schema/src/attached-document.ts";
import { parseBoundHost } from "../packages/schema/src/bound-host.ts";
import { citedNumbers, splitCitations, withoutCitations } from "../packages/schema/src/citation.ts";
import { processorMs } from "../packages/schema/src/testing/processor-time.ts";
import { findPrivateHosts } from "../packages/server/src/flowise-import/private-hosts.ts";
import { createSecretStripper } from "../packages/server/src/transfer/strip-secrets.ts";
import { isSigned } from "../packages/server/src/webhooks/standard-webhooks.ts";
import { toTerms } from "../packages/vector-stores/src/port/fuse-matches.ts";

/** Functions of the server's main process that read texts of visitors, models, services and files. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  "question: data of a run is marked": (text) => markData([{ role: "user", content: text }], marking),
  "question: a document is marked": (text) =>
    markData([{ role: "user", content: `See ${text}` }], { ...marking, documents: [text.slice(0, 1_000)] }),
  "question: marks are taken away": (text) => withoutMarks(marked(text)),
  "question: documents in it": (text) => partDocuments(text),
  "question: rehearsal model": (text) => rehearse(text),
  "answer: as JSON": (text) => attempt(() => readAnswer(answerOf(text), { name: "answer", schema: {} }, false)),
  "answer: in a fence": (text) => attempt(() => readAnswer(answerOf(`\`\`\`${text}\`\`\``), schema, false)),
  "answer: arguments of a tool": (text) => readArguments(text, { type: "object" }),
  "answer: JSON within": findJson,
  "answer: citations": citedNumbers,
  "answer: without citations": withoutCitations,
  "answer: citations told from text": (text) => splitCitations(text, new Set([1])),
  "answer: events of a stream": (text) => readEvents([text]),
  "answer: events in pieces": (text) => readEvents(text.match(/[\s\S]{1,500}/g) ?? []),
  "answer: spoken": (text) => splitText(text, 4_000),
  "passage: fenced": (text) => fencePassage(1, text),
  "passage: words": toTerms,
  "passage: beginnings": (text) => readPassages(text),
  "passage: answered from": (text) =>
    answerFromPassages(readPassages(`<passage number="1">\n# ${text}\n${text}\n</passage>`.repeat(20)).passages, text),
  "template: parsed": parseTemplate,
  "template: rendered": (text) => renderTemplate(text, scope, { onUnknown() {} }),
  "template: rendered as an address": (text) =>
    attempt(() => renderTemplate(text, scope, { onUnknown() {}, encode: encodeForUrl })),
  "template: rendered as JSON": (text) => attempt(() => renderJson(text, scope, { onUnknown() {} })),
  "flow: of any format": (text) => attempt(() => readFlow(text)),
  "flow: a prompt of one": (text) =>
    attempt(() => readFlow(JSON.stringify({ nodes: [{ id: "a", data: { name: "llm", inputs: { prompt: text } } }] }))),
  "flow: JSON as people type it": parseLenientJson,
  "flow: references": (text) => rewriteReferences(text, { nodes: new Map(), onUnknown() {} } as never),
  "flow: rich text": toMarkdown,
  "flow: rich text of a paragraph": (text) => toMarkdown(`<p>${text}</p>`),
  "flow: code of messages": readMessageCode,
  "flow: prompt": parsePromptText,
  "flow: zod": (text) => attempt(() => parseZodText(text)),
  "flow: private hosts": findPrivateHosts,
  "flow: secrets": (text) => createSecretStripper(["a-secret-of-mine"]).text(text),
  "header: address of a client": (text) =>
    toClientAddress({ remoteAddress: "::1", forwardedFor: text, trustedHops: 1 } as never),
  "header: signature": (text) =>
    isSigned(text, [`whsec_${Buffer.alloc(32).toString("base64")}`], { id: "a", timestamp: "1", body: "" } as never),
  "header: of a call": (text) => checkHeader("x-a", text),
  "address: query": (text) => attempt(() => readQuery(`http://a.example/?${text}`)),
  "address: base": (text) => normaliseBaseUrl(`http://a.example/${text}`),
  "address: of a credential": parseBoundHost,
  "address: with a place": (text) => hasPlace(text, "name"),
  "service: reason": (text) => toReason(text, ["a-secret-of-mine"]),
  "service: page as text": toPlainText,
  "service: page": (text) => decodePage(Buffer.from(text), "text/html"),
  "service: robots.txt": (text) => parseRobots(text, "weft"),
  "service: secrets": (text) => createRedactor(["a-secret-of-mine"]).text(text),
  "service: stand-ins": (text) => withoutPlaceholders(text, "mark"),
  "service: depth of JSON": (text) => jsonDepth(text, 200),
  "settings: selector": (text) => selectElements(page, text),
  "settings: number": (text) => attempt(() => parseDecimal(text)),
  "settings: name of a tool": (text) => toToolName(text, "tool"),
  "tool: document": toDocument,
  "tool: mail": isHtml,
  "file: data URL": (text) => attempt(() => parseDataUrlFile(`data:${text}`)),
};

const marking = { mark: "abc123", documents: [], hasTools: true };
const schema = { name: "answer", schema: { type: "object" } };
const page = { tag: "div", attributes: {}, children: [] } as never;
const scope: TemplateScope = {
  root: (name) => (name === "question" ? "Why?" : undefined),
  node: (name) => (name === "a" ? { output: { a: [1] }, text: "a" } : undefined),
};
const model = createRehearsalModel();

function marked(text: string) {
  return markData([{ role: "tool", content: text, toolName: "a", toolCallId: "1" } as never], marking);
}

function answerOf(text: string) {
  return { text, toolCalls: [] } as never;
}

function rehearse(text: string) {
  const call = { messages: [{ role: "user", content: text }], parameters: {}, signal: new AbortController().signal };
  void model.answer(call as never).catch(() => undefined);
}

function readEvents(pieces: readonly string[]) {
  const reader = createEventReader(() => undefined);
  for (const piece of pieces) reader.push(Buffer.from(piece));
  reader.end();
}

/** Most of these texts are refused, which must not take long either. */
function attempt(read: () => unknown) {
  try {
    read();
  } catch (error) {
    assert.ok(!(error instanceof RangeError) || !/call stack/.test(error.message), "it recurses as deep as the text");
  }
}

const length = 200_000;
const pieces = [
  ..."a0_-+=.,:;!?@#$%^&*/\\|~ \t\n\r'\"`<>()[]{}é😀",
  "\r\n",
  "\n ",
  "a ",
  "<a",
  "</",
  "<!--",
  "-->",
  "<doc name='",
  "<doc name=''>",
  "</doc>",
  "<passage",
  "<data-abc123",
  "< ",
  "```",
  "~~~\n",
  "`` ` ",
  "{{",
  "{{a}}",
  "{{ question ",
  "${",
  '"\\',
  '\\"',
  '","',
  '{"a":',
  "[1]",
  "[1, ",
  "[a](",
  "**",
  "- ",
  "# ",
  "| ",
  "//",
  "/*",
  "/* *",
  "--",
  "data:",
  "data: {\n",
  "data:\n\n",
  "http://",
  "a@",
  "a.",
  "%41",
  "%",
  "&amp;",
  "&#",
  "?a=",
  "eyJ-",
  "Bearer ",
  "-----BEGIN PRIVATE KEY-----",
  "v1,",
  "Disallow: *a",
  "new AIMessage(",
  "id ",
  "=== ",
];
const pairs: readonly (readonly [string, string])[] = [
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["<", ">"],
  ["{{", "}}"],
  ['{"a":', "}"],
  ["<a>", "</a>"],
  ["<doc name='a'>", "</doc>"],
  ["/*", "*/"],
  ["z.object({a:", "})"],
];

function* texts(): Generator<[name: string, text: string]> {
  for (const piece of pieces) {
    yield [`${JSON.stringify(piece)} repeated`, fill(piece)];
    yield [`${JSON.stringify(piece)} repeated between others`, `[a "${fill(piece)}\u0000`];
  }
  for (const [open, close] of pairs) {
    const depth = Math.floor(length / (open.length + close.length));
    yield [`${open} nested`, open.repeat(depth) + close.repeat(depth)];
  }
}

function fill(piece: string): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

/** Fifty times what the slowest takes for the most tedious text. */
const limitMs = 1_500;

describe("texts of others", () => {
  for (const [name, read] of Object.entries(readers)) {
    it(`are read in linear time: ${name}`, () => {
      for (const [what, text] of texts()) {
        const since = processorMs();
        read(text);
        const tookMs = processorMs() - since;
        if (process.env.SHOW && tookMs > 40) console.log(name, what, tookMs.toFixed(0));
        assert.ok(tookMs < limitMs, `${what} took ${tookMs.toFixed(0)} ms.`);
      }
    });
  }
});
