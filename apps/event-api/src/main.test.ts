import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { it } from "node:test";
import { fileURLToPath } from "node:url";

const mainFile = fileURLToPath(new URL("./main.ts", import.meta.url));

function start(env: Record<string, string>, command = [process.execPath, mainFile]) {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { env: { ...process.env, HOST: "", ...env } });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output.stderr += chunk;
  });
  return { child, output };
}

it("prints its address, serves, and ends on SIGTERM", async () => {
  const { child, output } = start({ PORT: "0" });
  await once(child.stdout, "data");
  const address = /^Event API listening on (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(output.stdout)?.[1];
  const response = await fetch(`${address}/events`);
  assert.equal(((await response.json()) as unknown[]).length, 5);
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "close"), [0, null]);
});

it("ends when npm's shell between it and npm ends", { skip: process.platform === "win32" }, async () => {
  const command = ["/bin/sh", "-c", `"${process.execPath}" "${mainFile}"; true`];
  const { child } = start({ PORT: "0", npm_lifecycle_event: "event-api" }, command);
  await once(child.stdout, "data");
  child.kill("SIGTERM");
  // "close" comes when nobody holds the output any more, the event API included.
  assert.deepEqual(await once(child, "close"), [null, "SIGTERM"]);
});

it("says in one sentence that the port is taken", async () => {
  const blocker = createServer().listen(0, "127.0.0.1");
  await once(blocker, "listening");
  const port = (blocker.address() as AddressInfo).port;
  const { child, output } = start({ PORT: String(port) });
  assert.deepEqual(await once(child, "close"), [1, null]);
  blocker.close();
  assert.equal(
    output.stderr,
    `Cannot listen on 127.0.0.1:${port}: another process uses this port. Stop it, or set PORT to another number.\n`,
  );
});

it("refuses a PORT that is no port", async () => {
  for (const port of ["http", "70000", "-1"]) {
    const { child, output } = start({ PORT: port });
    assert.deepEqual(await once(child, "close"), [1, null]);
    assert.equal(output.stderr, `PORT must be a number from 0 to 65535, not "${port}".\n`);
  }
});
