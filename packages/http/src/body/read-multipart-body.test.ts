import assert from "node:assert/strict";
import { test } from "node:test";
import { type FileReceiver, inMemory, type MultipartLimits, readMultipartBody } from "./read-multipart-body.ts";

const limits = { maxBytes: 10_000, maxFiles: 2 };

const read = (body: string | FormData, headers: Record<string, string> = {}, given: MultipartLimits = limits) =>
  readMultipartBody(new Request("http://test/", { method: "POST", body, headers }), given, inMemory);

function form(parts: readonly [string, string | Blob, string?][]): FormData {
  const data = new FormData();
  for (const [name, value, fileName] of parts) {
    if (typeof value === "string") data.append(name, value);
    else data.append(name, value, fileName);
  }
  return data;
}

test("fields are texts, repeated ones arrays; files keep their bytes, name and type", async () => {
  const bytes = new Uint8Array([0, 255, 13, 10, 45, 45]);
  const parts: [string, string | Blob, string?][] = [
    ["question", "Grüße\r\n🧶"],
    ["tag", "a"],
    ["tag", "b"],
    ["files", new Blob([bytes], { type: "image/png" }), "bild ü.png"],
    ["other", new Blob([]), "empty.txt"],
  ];
  const { files, ...fields } = await read(form(parts));
  assert.deepEqual({ ...fields }, { question: "Grüße\r\n🧶", tag: ["a", "b"] });
  assert.deepEqual(
    files.map(({ fieldName, name, mimeType }) => [fieldName, name, mimeType]),
    [
      ["files", "bild ü.png", "image/png"],
      ["other", "empty.txt", "application/octet-stream"],
    ],
  );
  assert.deepEqual(new Uint8Array(files[0]?.bytes ?? []), bytes);
  assert.equal(files[1]?.bytes.byteLength, 0);
});

test("a file name is a name, whatever path a client sends", async () => {
  const { files } = await read(form([["files", new Blob(["x"]), "../../etc/passwd"]]));
  assert.equal(files[0]?.name, "passwd");
});

test("field names reach no prototype", async () => {
  const { files: _, ...fields } = await read(
    form([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]),
  );
  assert.equal(Object.getPrototypeOf({}).x, undefined);
  assert.equal(fields.constructor, "y");
});

test("what is no form, malformed, cut off, too large or too much is refused with its code", async () => {
  const type = { "content-type": "multipart/form-data; boundary=b" };
  const file = (name: string): [string, Blob, string] => ["files", new Blob(["x"]), name];
  const cases: [string, () => Promise<unknown>][] = [
    ["media-type-unsupported", () => read("{}", { "content-type": "application/json" })],
    ["media-type-unsupported", () => read("--b--", { ...type, "content-encoding": "gzip" })],
    ["form-unparsable", () => read("--b--", { "content-type": "multipart/form-data" })],
    ["form-unparsable", () => read("no parts at all", type)],
    ["form-unparsable", () => read('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nvalue', type)],
    ["form-unparsable", () => read('--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\ncut', type)],
    ["body-too-large", () => read(form([["files", new Blob(["x".repeat(10_001)]), "big"]]))],
    ["form-unparsable", () => read(form([file("1"), file("2"), file("3")]))],
    [
      "form-unparsable",
      () =>
        read(
          form(Array.from({ length: 201 }, (_, i): [string, string] => [`f${i}`, ""])),
          {},
          { ...limits, maxBytes: 1e6 },
        ),
    ],
  ];
  for (const [code, reading] of cases) await assert.rejects(reading, { code });
});

test("with a longest file, larger ones are passed over and the others are read, in whatever order they come", async () => {
  const sized = (name: string, bytes: number): [string, Blob, string] => ["files", new Blob(["x".repeat(bytes)]), name];
  const parts = [sized("a", 500), sized("large", 5_000), sized("b", 400), sized("rest", 600), sized("c", 100)];
  const { files, note } = await read(
    form([...parts, ["note", "kept"]]),
    {},
    { maxBytes: 1_100, maxFiles: 9, maxFileBytes: 1_000 },
  );
  assert.equal(note, "kept");
  assert.deepEqual(
    files.map(({ name, bytes, oversizeBytes }) => [name, bytes.length, oversizeBytes]),
    [
      ["a", 500, undefined],
      ["large", 0, 5_000],
      ["b", 400, undefined],
      ["rest", 0, 600],
      ["c", 100, undefined],
    ],
  );
  const fields: [string, string][] = [["note", "x".repeat(1_200)]];
  await assert.rejects(read(form(fields), {}, { maxBytes: 1_100, maxFiles: 9, maxFileBytes: 1_000 }), {
    code: "body-too-large",
  });
});

/** A body of one file of 64 pieces, and how many of them were asked for. */
function slowBody(ending = "\r\n--b--\r\n") {
  const piece = new Uint8Array(65_536).fill(97);
  const asked = { pieces: 0 };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) =>
      controller.enqueue(Buffer.from('--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n')),
    pull(controller) {
      asked.pieces += 1;
      if (asked.pieces <= 64) return controller.enqueue(piece);
      controller.enqueue(Buffer.from(ending));
      controller.close();
    },
  });
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  const request = new Request("http://test/", { method: "POST", body, headers, duplex: "half" });
  return { request, asked, sizeBytes: 64 * piece.length };
}

const large = { maxBytes: 10_000_000, maxFiles: 1 };

test("a receiver sets the pace: no more of the body is read than it has taken", async () => {
  const { request, asked, sizeBytes } = slowBody();
  let taken = 0;
  let mostAhead = 0;
  const counting: FileReceiver<number> = {
    async receive(_, pieces) {
      for await (const piece of pieces) {
        await new Promise((resolve) => setImmediate(resolve));
        taken += piece.length;
        mostAhead = Math.max(mostAhead, asked.pieces * 65_536 - taken);
      }
      return taken;
    },
    complete: async () => undefined,
    release: async () => undefined,
  };
  const { files } = await readMultipartBody(request, large, counting);
  assert.deepEqual(files, [sizeBytes]);
  assert.ok(mostAhead < 10 * 65_536, `${mostAhead} bytes ahead`);
});

test("a form that ends early, and a receiver that fails, end every file that is being received", async () => {
  const failures: string[] = [];
  const noting = (failAfter: number): FileReceiver<number> => ({
    async receive(_, pieces) {
      let taken = 0;
      try {
        for await (const piece of pieces) {
          taken += piece.length;
          if (taken > failAfter) throw new Error("the disk is full");
        }
      } catch (cause) {
        failures.push((cause as Error).message);
        throw cause;
      }
      return taken;
    },
    complete: async () => undefined,
    release: async () => undefined,
  });
  const cut = slowBody("");
  await assert.rejects(readMultipartBody(cut.request, large, noting(1e9)), { code: "form-unparsable" });
  const full = slowBody();
  await assert.rejects(readMultipartBody(full.request, large, noting(200_000)), /the disk is full/);
  assert.ok(full.asked.pieces < 64, "the rest is not read");
  assert.equal(failures.length, 2);
});
