import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { buildPdf, buildZipBomb } from "@weft/documents/testing";
import { createScriptedEmbeddingServer } from "@weft/providers/testing";
import type { DocumentStore, UpsertHistoryRecord, UpsertResult } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { openProcessBench } from "../../../server/src/testing/process-bench.ts";
import { longText, type StreamedFile, streamForm } from "../../../server/src/testing/stream-form.ts";

type Test = Parameters<TestDatabases["createTestStorage"]>[0];

const mib = 1_024 ** 2;
const columns = 10_000;
const wideTable = `${Array.from({ length: columns }, (_, index) => `c${index}`).join()}\n${"7,".repeat(columns - 1)}8\n`;

/** Files that are read, with what stands in their first chunk. */
const readable: [name: string, bytes: Uint8Array, text: RegExp][] = [
  ["good.md", Buffer.from("# Refunds\n\nRefunds take five days."), /^# Refunds\n\nRefunds take five days\.$/],
  ["nul.txt", Buffer.from("before\0after"), /^beforeafter$/],
  [
    "broken-utf8.txt",
    Buffer.from([...Buffer.from("Grüße aus Köln, "), 0xc3, 0x28, 0xff]),
    /^Grüße aus Köln, \ufffd\(\ufffd$/,
  ],
  ["od\0d\u0007.txt", Buffer.from("strange name"), /^strange name$/],
  ["latin.txt", Buffer.from([0x63, 0x61, 0x66, 0xe9]), /^café$/],
  ["wide.csv", Buffer.from(wideTable), /^c0: 7\nc1: 7\n/],
];

/** Files that are not, with the sentence that says why and what to do. */
const unreadable = (): [name: string, bytes: Iterable<Uint8Array>, sentence: RegExp][] => [
  ["nothing-but-nul.txt", [Buffer.alloc(1_000)], /it contains no text/],
  ["noise.txt", [Buffer.alloc(1_000, "\u0001\u0002\u0003a")], /it is not text.*save it as UTF-8/],
  ["long.txt", longText(200 * mib), /its 209715200 bytes are more than the 52428800 .*split it/],
  ["scan.pdf", [buildPdf([[], []])], /its pages are pictures without text; have the text recognised \(OCR\) first/],
  ["locked.pdf", [buildPdf([["secret"]], { isEncrypted: true })], /it is encrypted; save it without a password/],
  ["cut.pdf", [buildPdf([["half"]]).subarray(0, 200)], /it is a damaged PDF/],
  ["bomb.docx", [buildZipBomb()], /grows beyond all measure/],
  ["no.docx", [Buffer.from("plain words")], /it is called docx, and its content is not/],
  [
    "picture.png",
    [Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])],
    /has an unsupported format.*Supported formats/,
  ],
  ["empty.txt", [], /it is empty/],
];

/** A site with one page, from which a link leads to the address that it redirects to. */
async function openSite(onEnd: (stop: () => unknown) => void, target: string) {
  const server = createServer((request, response) => {
    if (request.url === "/away") response.writeHead(302, { location: target }).end();
    else if (request.url !== "/") response.writeHead(404).end();
    else
      response.writeHead(200, { "content-type": "text/html" }).end('<p>Open on Mondays.</p><a href="/away">More</a>');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onEnd(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function open(t: Test, databases: TestDatabases, target = "http://169.254.169.254/latest") {
  const { start, onEnd } = await openProcessBench(t, databases);
  const model = await createScriptedEmbeddingServer({ record: false });
  onEnd(() => model.close());
  const host = await openSite(onEnd, target);
  const server = await start({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: model.url, EGRESS_ALLOW: host });
  const embeddingConfig = JSON.stringify({ name: "openai", config: { model: "scripted" } });
  const { id } = await server.call<DocumentStore>("POST", "/document-store/store", { name: "Mixed", embeddingConfig });
  const upload = async (files: StreamedFile[]) => {
    const { headers, ...form } = streamForm(files);
    const response = await fetch(`${server.url}/api/v1/document-store/upsert/${id}`, {
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${server.token}` },
      ...form,
    });
    return { status: response.status, body: (await response.json()) as UpsertResult & { message: string } };
  };
  return { server, id, site: `http://${host}`, upload };
}

await onTestDatabase((databases) => {
  describe("one upload of sound and hostile files", () => {
    test("says of each one that cannot be read why, and the others are found", async (t) => {
      const { server, id, upload } = await open(t, databases);
      const sound = readable.map(([name, bytes]) => ({ name, bytes: [bytes] }));
      const expected = unreadable();
      const hostile = expected.map(([name, bytes]) => ({ name, bytes }));
      const { status, body } = await upload([...sound.slice(0, 2), ...hostile, ...sound.slice(2)]);
      assert.equal(status, 200, body.message);
      assert.deepEqual(
        body.failed.map(({ source }) => source),
        expected.map(([name]) => name),
      );
      for (const [index, [name, , sentence]] of expected.entries()) {
        assert.match(body.failed[index]?.message ?? "", sentence);
        assert.ok(body.failed[index]?.message.startsWith(name));
      }
      for (const [name, , text] of readable) {
        const first = body.addedDocs.find(({ metadata }) => metadata.source === name.replaceAll(/\p{Cc}/gu, ""));
        assert.match(first?.pageContent ?? `${name} has no chunk`, text);
      }
      const [loader] = JSON.parse((await server.call<DocumentStore>("GET", `/document-store/store/${id}`)).loaders);
      assert.deepEqual([loader.status, loader.totalChunks], ["UPSERTED", body.numAdded]);
      assert.match(loader.error, /^10 sources could not be loaded\. nothing-but-nul\.txt/);
      const [record] = await server.call<UpsertHistoryRecord[]>("GET", `/upsert-history/${id}`);
      assert.deepEqual(JSON.parse(record?.result ?? "{}").failed, body.failed);
    });

    test("none of which can be read is refused, and says of each why", async (t) => {
      const { server, id, upload } = await open(t, databases);
      const { status, body } = await upload([
        { name: "long.txt", bytes: longText(60 * mib) },
        { name: "locked.pdf", bytes: [buildPdf([["secret"]], { isEncrypted: true })] },
      ]);
      assert.equal(status, 400);
      assert.match(body.message, /^None of the documents .*long\.txt.*split it.*locked\.pdf.*without a password/);
      const store = await server.call<DocumentStore>("GET", `/document-store/store/${id}`);
      assert.deepEqual([store.status, store.totalChunks], ["NEW", 0]);
      assert.deepEqual(await server.call("GET", `/upsert-history/${id}`), []);
    });
  });

  describe("a page that redirects to a private address", () => {
    test("is named and not read; the rest of the site is", async (t) => {
      const { server, id, site } = await open(t, databases);
      const loader = { name: "site-crawl", config: { url: site, delayMs: 0 } };
      const result = await server.call<UpsertResult>("POST", `/document-store/upsert/${id}`, { loader });
      assert.deepEqual([result.numAdded, result.addedDocs[0]?.metadata.source], [1, `${site}/`]);
      assert.deepEqual(
        result.failed.map(({ source, code }) => [source, code]),
        [[`${site}/away`, "egress-refused"]],
      );
      assert.match(result.failed[0]?.message ?? "", /169\.254\.169\.254.*EGRESS_ALLOW/);
    });

    test("is refused where it is all there is, at every hop", async (t) => {
      const { server, id, site } = await open(t, databases, "http://localhost:1/");
      const loader = { name: "web-page", config: { url: `${site}/away` } };
      const response = await server.send("POST", `/document-store/upsert/${id}`, { loader });
      const answer = (await response.json()) as { code: string; message: string };
      assert.deepEqual([response.status, answer.code], [400, "documents-unreadable"]);
      assert.match(answer.message, /localhost/);
    });
  });
});
