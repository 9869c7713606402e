import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { Pool } from "pg";

// An agent as small as it can be on DBOS Transact: `POST /predict` runs a workflow with one durable step, which asks the
// model and stores question and answer. Run by `./weft bench:peers` with DATABASE_URL and MODEL_URL; prints its address.

const { DATABASE_URL: databaseUrl = "", MODEL_URL: modelUrl = "" } = process.env;

const pool = new Pool({ connectionString: databaseUrl });
await pool.query(`create table messages (
  run_id text not null, role text not null, content text not null, created_at timestamptz not null default now(),
  primary key (run_id, role))`);

DBOS.setConfig({ name: "peer", systemDatabaseUrl: databaseUrl, logLevel: "error" });
const predict = DBOS.registerWorkflow((question: string) => DBOS.runStep(() => answer(question), { name: "answer" }), {
  name: "predict",
});
await DBOS.launch();

const server = createServer(async (request, response) => {
  try {
    const { question } = JSON.parse(await readBody(request)) as { question: string };
    const body = JSON.stringify({ text: await predict(question) });
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
    response.end(body);
  } catch (error) {
    response.writeHead(500, { "content-length": 0 }).end();
    console.error(error);
  }
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
});

/** A second attempt of the step stores nothing twice: rows bear the id of the workflow. */
async function answer(question: string): Promise<string> {
  const response = await fetch(`${modelUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer bench", "content-type": "application/json" },
    body: JSON.stringify({ model: "scripted", messages: [{ role: "user", content: question }] }),
  });
  if (!response.ok) throw new Error(`The model answered with status ${response.status}.`);
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
  const text = choices[0]?.message.content ?? "";
  await pool.query({
    name: "store",
    text: `insert into messages (run_id, role, content) values ($1, 'user', $2), ($1, 'assistant', $3)
      on conflict do nothing`,
    values: [DBOS.workflowID, question, text],
  });
  return text;
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => resolve(body));
    request.on("error", reject);
  });
}
