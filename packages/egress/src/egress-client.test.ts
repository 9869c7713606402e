import assert from "node:assert/strict";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { type TestContext, test } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { HttpResponse } from "@weft/engine/ports/http-client";
import { createEgressClient, type EgressOptions, toAllowEntry } from "./index.ts";
import { echo, startServer } from "./testing/test-server.ts";

function createClient(t: TestContext, options: EgressOptions) {
  const client = createEgressClient(options);
  t.after(() => client.close());
  return client;
}

const text = (response: HttpResponse) => Buffer.from(response.body).toString();
const json = (response: HttpResponse) => JSON.parse(text(response));

test("sends method, headers and body, and gives the whole answer", async (t) => {
  const server = await startServer(t, echo);
  const client = createClient(t, { allow: [server.host] });
  const response = await client.request({
    method: "put",
    url: `${server.url}/a?b=%20c#fragment`,
    headers: { "X-Thing": "1", "Content-Type": "text/plain" },
    body: "bødy",
  });
  assert.equal(response.status, 200);
  assert.equal(response.statusText, "OK");
  assert.equal(response.truncated, false);
  assert.equal(response.headers["content-type"], "application/json");
  const { method, url, headers, body } = json(response);
  assert.deepEqual({ method, url, body }, { method: "PUT", url: "/a?b=%20c", body: "bødy" });
  assert.equal(headers["x-thing"], "1");
  assert.equal(headers["user-agent"], "weft");
});

test("any status is an answer; repeated headers are joined", async (t) => {
  const server = await startServer(t, (_request, response) => {
    response.writeHead(503, "Out", { "X-Many": ["a", "b"], "Set-Cookie": ["c=1", "d=2"] });
    response.end("later");
  });
  const response = await createClient(t, { allow: [server.host] }).request({ method: "GET", url: server.url });
  assert.equal(response.status, 503);
  assert.equal(response.headers["x-many"], "a, b");
  assert.equal(response.headers["set-cookie"], "c=1, d=2");
  assert.equal(text(response), "later");
});

test("headers of the connection are the client's own", async (t) => {
  const server = await startServer(t, echo);
  const response = await createClient(t, { allow: [server.host] }).request({
    method: "POST",
    url: server.url,
    headers: {
      Host: "internal",
      "Content-Length": "999",
      "Transfer-Encoding": "chunked",
      Connection: "close",
      TE: "x",
    },
    body: "{}",
  });
  const { headers } = json(response);
  assert.equal(headers.host, server.host);
  assert.equal(headers["content-length"], "2");
  assert.equal(headers["transfer-encoding"], undefined);
  assert.equal(headers.connection, "keep-alive");
});

test("connections are kept", async (t) => {
  const ports = new Set<number | undefined>();
  const server = await startServer(t, (request, response) => {
    ports.add(request.socket.remotePort);
    response.end("ok");
  });
  const client = createClient(t, { allow: [server.host] });
  for (let call = 0; call < 20; call += 1) await client.request({ method: "GET", url: server.url });
  assert.ok(ports.size <= 2, `${ports.size} connections for 20 calls`);
});

test("refuses this machine and private networks in every spelling", async (t) => {
  const server = await startServer(t, echo);
  const client = createClient(t, { allow: [] });
  const hosts = [
    ...["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0x7f.1", "127.0.0.1.", "①②⑦.0.0.1"],
    ...["localhost", "LOCALHOST", "localhost.", "api.localhost", "[::1]", "[::ffff:127.0.0.1]", "[::]", "0.0.0.0", "0"],
    ...["10.0.0.1", "169.254.169.254", "100.64.0.1", "[fe80::1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "224.0.0.1"],
  ];
  for (const host of hosts) {
    const call = client.request({ method: "GET", url: `http://${host}:${server.port}/secret?key=k` });
    await assert.rejects(call, (error: Error & { code?: string }) => {
      assert.equal(error.code, "egress-refused", host);
      assert.doesNotMatch(error.message, /secret|key/);
      return true;
    });
  }
  assert.equal(server.received.length, 0);
});

test("an allow entry permits its host at its port only, as written", async (t) => {
  const [server, other] = [await startServer(t, echo), await startServer(t, echo)];
  const client = createClient(t, { allow: [` ${server.host} `] });
  assert.equal((await client.request({ method: "GET", url: server.url })).status, 200);
  await assert.rejects(client.request({ method: "GET", url: other.url }), { code: "egress-refused" });
  const spelledOtherwise = client.request({ method: "GET", url: `http://localhost:${server.port}` });
  await assert.rejects(spelledOtherwise, { code: "egress-refused" });
  const byName = createClient(t, { allow: [`LocalHost:${server.port}`], resolve: async () => ["127.0.0.1"] });
  assert.equal((await byName.request({ method: "GET", url: `http://localhost:${server.port}` })).status, 200);
});

test("allow entries are host:port; anything else is named at once", () => {
  for (const entry of ["localhost", "http://localhost:1", "a/b:1", "user@host:1", ":80", "host:99999", "", "[::1]"]) {
    assert.throws(() => createEgressClient({ allow: [entry] }), RangeError, entry);
  }
  createEgressClient({ allow: ["[::1]:5566", "example.com:443"] });
  assert.equal(toAllowEntry("https://Models.example.com/v1"), "models.example.com:443");
  assert.equal(toAllowEntry("http://[::1]:8080/v1"), "[::1]:8080");
});

test("a name is refused when any of its addresses is", async (t) => {
  const server = await startServer(t, echo);
  for (const addresses of [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["::ffff:7f00:1"], ["fe80::1%lo"], ["not-an-ip"]]) {
    const client = createClient(t, { allow: [], resolve: async () => addresses });
    const call = client.request({ method: "GET", url: `http://example.com:${server.port}` });
    await assert.rejects(call, { code: "egress-refused" }, addresses.join());
  }
  assert.equal(server.received.length, 0);
});

test("a name is resolved once per connection: no second answer can slip in", async (t) => {
  const server = await startServer(t, echo);
  const asked: string[] = [];
  const client = createClient(t, {
    allow: [`rebind.example.com:${server.port}`],
    resolve: async (hostname) => {
      asked.push(hostname);
      return ["127.0.0.1"];
    },
  });
  const response = await client.request({ method: "GET", url: `http://rebind.example.com:${server.port}/` });
  assert.equal(json(response).headers.host, `rebind.example.com:${server.port}`);
  assert.deepEqual(asked, ["rebind.example.com"]);

  let answers = 0;
  const resolve = async () => {
    answers += 1;
    return ["127.0.0.1"];
  };
  const rebinding = createClient(t, { allow: [], resolve });
  const call = rebinding.request({ method: "GET", url: `http://rebind.example.com:${server.port}/` });
  await assert.rejects(call, { code: "egress-refused" });
  assert.equal(answers, 1);
});

test("only http and https, and no credentials in the URL", async (t) => {
  const client = createClient(t, { allow: [] });
  const addresses = ["ftp://example.com/", "file:///etc/passwd", "data:,x", "/relative", "", "http://", "javascript:1"];
  for (const url of [...addresses, "http://user:s3cret@example.com/", "http://s3cret@example.com/"]) {
    await assert.rejects(client.request({ method: "GET", url }), (error: Error & { code?: string }) => {
      assert.equal(error.code, "egress-failed", url);
      assert.doesNotMatch(error.message, /s3cret|passwd/);
      return true;
    });
  }
});

test("redirects are followed and credentials dropped across origins", async (t) => {
  const target = await startServer(t, echo);
  const server = await startServer(t, (request, response) => {
    const location = request.url === "/away" ? `${target.url}/there` : "/away";
    response.writeHead(307, { location }).end("moved");
  });
  const client = createClient(t, { allow: [server.host, target.host] });
  const headers = {
    Authorization: "Bearer s",
    Cookie: "c",
    "X-Api-Key": "k",
    Accept: "text/x",
    "Proxy-Authorization": "p",
  };
  const response = await client.request({ method: "POST", url: `${server.url}/`, headers, body: "kept" });
  assert.equal(response.url, `${target.url}/there`);
  assert.equal(server.received[1]?.headers.authorization, "Bearer s");
  const seen = json(response);
  assert.equal(seen.method, "POST");
  assert.equal(seen.body, "kept");
  assert.equal(seen.headers.accept, "text/x");
  for (const name of ["authorization", "cookie", "x-api-key", "proxy-authorization"]) {
    assert.equal(seen.headers[name], undefined, name);
  }
});

test("every hop is checked again", async (t) => {
  const secret = await startServer(t, echo);
  const server = await startServer(t, (request, response) => {
    response.writeHead(302, { location: decodeURIComponent(request.url?.slice(1) ?? "") }).end();
  });
  const client = createClient(t, { allow: [server.host] });
  const hops = {
    [secret.url]: "egress-refused",
    "http://169.254.169.254/": "egress-refused",
    "file:///etc": "egress-failed",
  };
  for (const [location, code] of Object.entries(hops)) {
    const call = client.request({ method: "GET", url: `${server.url}/${encodeURIComponent(location)}` });
    await assert.rejects(call, { code }, location);
  }
  const withUser = client.request({ method: "GET", url: `${server.url}/http%3A%2F%2Fu%3Ap%40${server.host}` });
  await assert.rejects(withUser, { code: "egress-failed" });
  assert.equal(secret.received.length, 0);
});

test("redirects end at the limit; zero answers with the redirect itself", async (t) => {
  const server = await startServer(t, (_request, response) => response.writeHead(302, { location: "/" }).end());
  const client = createClient(t, { allow: [server.host] });
  const endless = client.request({ method: "GET", url: server.url });
  await assert.rejects(endless, { code: "egress-failed", retryable: false, message: /redirected more than 5 times/ });
  assert.equal(server.received.length, 6);
  const manual = await client.request({ method: "GET", url: server.url, maxRedirects: 0 });
  assert.equal(manual.status, 302);
  assert.equal(manual.headers.location, "/");
});

test("size limits: an error, or a cut", async (t) => {
  const server = await startServer(t, (_request, response) => response.end("x".repeat(1000)));
  const client = createClient(t, { allow: [server.host] });
  const get = { method: "GET", url: `${server.url}/?token=s3cret` };
  const tooLarge = client.request({ ...get, maxBytes: 999 });
  await assert.rejects(tooLarge, {
    code: "egress-too-large",
    message: `The response from ${server.url} is larger than 999 bytes.`,
  });
  const cut = await client.request({ ...get, maxBytes: 10, onTooLarge: "truncate" });
  assert.deepEqual([text(cut), cut.truncated], ["x".repeat(10), true]);
  const exact = await client.request({ ...get, maxBytes: 1000, onTooLarge: "truncate" });
  assert.deepEqual([exact.body.length, exact.truncated], [1000, false]);
});

test("the default limit is 256 KiB, and an endless answer does not hold a connection", async (t) => {
  const closed = Promise.withResolvers<void>();
  const server = await startServer(t, (_request, response) => {
    const chunk = Buffer.alloc(65_536);
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", write).on("close", closed.resolve);
    write();
  });
  const client = createClient(t, { allow: [server.host] });
  await assert.rejects(client.request({ method: "GET", url: server.url }), { code: "egress-too-large" });
  await closed.promise;
});

test("compressed answers are decoded, and the limit counts decoded bytes", async (t) => {
  const plain = "weft ".repeat(400_000);
  const encoders = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync, "x-gzip": gzipSync };
  const server = await startServer(t, (request, response) => {
    const coding = request.url?.slice(1) as keyof typeof encoders;
    response.writeHead(200, { "content-encoding": coding.toUpperCase() }).end(encoders[coding](plain));
  });
  const client = createClient(t, { allow: [server.host] });
  for (const coding of Object.keys(encoders)) {
    const url = `${server.url}/${coding}`;
    const whole = await client.request({ method: "GET", url, maxBytes: 2_000_000 });
    assert.equal(text(whole), plain, coding);
    assert.equal(whole.headers["content-encoding"], undefined);
    await assert.rejects(client.request({ method: "GET", url }), { code: "egress-too-large" }, coding);
    const cut = await client.request({ method: "GET", url, maxBytes: 6, onTooLarge: "truncate" });
    assert.equal(text(cut), "weft w");
  }
});

test("odd content codings: stacked, unknown, broken, too many, none to decode", async (t) => {
  const answers: Record<string, [string, Uint8Array | string]> = {
    "/stacked": ["gzip, br", brotliCompressSync(gzipSync("deep"))],
    "/unknown": ["zebra", "as it is"],
    "/identity": ["identity", "plain"],
    "/broken": ["gzip", "this is not gzip"],
    "/short": ["gzip", gzipSync("cut off").subarray(0, 14)],
    "/many": ["gzip, gzip, gzip, gzip", "x"],
    "/empty": ["gzip", ""],
  };
  const server = await startServer(t, (request, response) => {
    const [coding, body] = answers[request.url ?? ""] ?? ["", ""];
    response.writeHead(request.method === "DELETE" ? 204 : 200, { "content-encoding": coding }).end(body);
  });
  const client = createClient(t, { allow: [server.host] });
  const get = (path: string, method = "GET") => client.request({ method, url: server.url + path });
  assert.equal(text(await get("/stacked")), "deep");
  const unknown = await get("/unknown");
  assert.deepEqual([text(unknown), unknown.headers["content-encoding"]], ["as it is", "zebra"]);
  assert.equal(text(await get("/identity")), "plain");
  assert.equal(text(await get("/empty")), "");
  assert.equal(text(await get("/stacked", "HEAD")), "");
  assert.equal((await get("/stacked", "DELETE")).status, 204);
  assert.ok("cut off".startsWith(text(await get("/short"))));
  await assert.rejects(get("/broken"), { code: "egress-failed", message: /not validly compressed/ });
  await assert.rejects(get("/many"), { code: "egress-failed", message: /compressed 4 times over/ });
});

test("the time limit covers headers and body", async (t) => {
  const server = await startServer(t, (request, response) => {
    if (request.url === "/body") response.write("begun");
  });
  const client = createClient(t, { allow: [server.host] });
  for (const path of ["/headers", "/body"]) {
    const call = client.request({ method: "GET", url: server.url + path, timeoutMs: 50 });
    const message = `${server.url} did not answer within 50 ms.`;
    await assert.rejects(call, { code: "egress-timeout", retryable: true, message });
  }
});

test("aborting ends the call with the signal's reason", async (t) => {
  const controller = new AbortController();
  const reason = new Error("cancelled by hand");
  const server = await startServer(t, (_request, response) => {
    response.write("begun");
    controller.abort(reason);
  });
  const client = createClient(t, { allow: [server.host] });
  const call = () => client.request({ method: "GET", url: server.url, signal: controller.signal });
  await assert.rejects(call(), (error) => error === reason);
  await assert.rejects(call(), (error) => error === reason);
  assert.equal(server.received.length, 1);
});

test("failures are told in plain words", async (t) => {
  const tcp = createTcpServer((socket) => {
    socket.once("data", (data) =>
      socket.end(data.toString().includes("/cut") ? "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab" : "hello\r\n\r\n"),
    );
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
  t.after(() => tcp.close());
  const { port } = tcp.address() as AddressInfo;
  const closed = await startServer(t, echo);
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error("dns"), { code }));
  const allow = [`127.0.0.1:${port}`, "127.0.0.1:1", closed.host];
  const cases: [string, RegExp, EgressOptions?][] = [
    ["http://127.0.0.1:1/", /connection refused/],
    [`http://127.0.0.1:${port}/`, /not valid HTTP/],
    [`http://127.0.0.1:${port}/cut`, /closed before the answer was complete/],
    [`https://${closed.host}/`, /TLS handshake failed/],
    ["http://nowhere.example.com/", /host name not found/, { allow, resolve: failing("ENOTFOUND") }],
    ["http://nowhere.example.com/", /host name not found/, { allow, resolve: async () => [] }],
    ["http://nowhere.example.com/", /could not be resolved just now/, { allow, resolve: failing("EAI_AGAIN") }],
  ];
  for (const [url, message, options] of cases) {
    const call = createClient(t, options ?? { allow }).request({ method: "GET", url });
    await assert.rejects(call, { code: "egress-failed", retryable: true, message }, url);
  }
});

test("an invalid header or method is the caller's mistake and is not sent", async (t) => {
  const server = await startServer(t, echo);
  const client = createClient(t, { allow: [server.host] });
  const wrong = [
    { headers: { "x-a": "b\r\nx-c: d" } },
    { headers: { "x a": "b" } },
    { method: "GE T" },
    { method: "CONNECT" },
  ];
  for (const part of wrong) {
    const call = client.request({ method: "GET", url: server.url, ...part });
    await assert.rejects(call, { code: "egress-failed", retryable: false }, JSON.stringify(part));
  }
  assert.equal(server.received.length, 0);
});

test("closing before the first call is harmless, and calls after it fail", async () => {
  const unused = createEgressClient({ allow: [] });
  await unused.close();
  const client = createEgressClient({ allow: ["127.0.0.1:1"] });
  await client.request({ method: "GET", url: "http://127.0.0.1:1" }).catch(() => {});
  await client.close();
  const call = client.request({ method: "GET", url: "http://127.0.0.1:1" });
  await assert.rejects(call, { code: "egress-failed", message: /server is stopping/ });
});
