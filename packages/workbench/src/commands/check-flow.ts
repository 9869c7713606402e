import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { createEgressClient, toAllowEntry } from "@weft/egress";
import { reviewNodes } from "@weft/engine";
import { integrations } from "@weft/integrations";
import { errorBodySchema, type Finding, type Flow, type FlowReading, flowReadingSchema, WeftError } from "@weft/schema";
import { checkNeeds, type NeedsDeps } from "@weft/server";
import { FileError, type FlowFile, readFlowFile } from "../read-flow-file.ts";
import { exitCodes, oneFile, readArguments, type Shell, UsageError } from "./arguments.ts";

/** Prints a flow's findings, as far as its file or the named server shows them. Fails if one keeps it from running. */
export async function checkFlow(args: string[], { stdout }: Shell): Promise<number> {
  const { values, positionals } = readArguments(args, { server: { type: "string" }, token: { type: "string" } });
  const server = toServer(values.server, values.token);
  const file = await readFlowFile(oneFile(positionals));
  const { path } = file;
  const { flow, findings } = server === undefined ? await checkAlone(file) : await askServer(server, file.text);
  for (const finding of findings) stdout.write(describeFinding(finding, flow));
  const errors = findings.filter(({ level }) => level === "error").length;
  const verdict = errors === 0 ? "can run" : "cannot run";
  stdout.write(
    `${basename(path)} ${verdict}: ${count(errors, "error")}, ${count(findings.length - errors, "warning")}.\n`,
  );
  return errors === 0 ? exitCodes.done : exitCodes.failed;
}

async function checkAlone({ compiled }: FlowFile) {
  const { flow, graph } = compiled;
  const findings = [...compiled.findings, ...reviewNodes(graph), ...(await checkNeeds(compiled, nothingStored))];
  return { flow, findings };
}

/** A file tells nothing of its server: stored resources are not checked. */
const nothingStored: NeedsDeps = {
  integrations,
  storedTools: { find: async () => undefined, newestIds: async () => [] },
  known: {},
};

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

type Server = { url: string; token: string };

/** The server that a command names. Undefined if it names none. Throws `UsageError`. */
function toServer(url: string | undefined, token: string | undefined): Server | undefined {
  if (url === undefined && token === undefined) return undefined;
  if (url === undefined) throw new UsageError("--token needs --server: name the server, too.");
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError(`--server ${url} is not a valid address. Use one such as http://localhost:3000.`);
  }
  if (!token)
    throw new UsageError(
      "--server needs --token: an API key with agents:read, or the token that npm run -s token prints.",
    );
  return { url: url.replace(/(?<!\/)\/+$/, ""), token };
}

/**
 * A running server's findings about a flow, including its models, credentials, tools, document stores and agents.
 * Throws `UsageError` if it does not respond, or refuses.
 */
async function askServer({ url, token }: Server, flowData: string): Promise<FlowReading> {
  const egress = createEgressClient({ allow: [toAllowEntry(url)] });
  const request = {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ flowData }),
  };
  try {
    return await read(url, await egress.fetch(`${url}/api/v1/flows/read`, request));
  } catch (cause) {
    if (!(cause instanceof WeftError)) throw cause;
    throw new UsageError(`${url} does not answer: ${cause.message} Check the address and that the server is running.`);
  } finally {
    await egress.close();
  }
}

async function read(url: string, response: Response): Promise<FlowReading> {
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    const said = errorBodySchema.safeParse(answer).data?.message ?? "";
    throw new UsageError(`${url} answered ${response.status}. ${said}`.trim());
  }
  const reading = flowReadingSchema.safeParse(answer);
  if (!reading.success) throw new UsageError(`${url} does not answer as this version of Weft does.`);
  return reading.data;
}

/** A finding as one line: its level, its code, the label of its node and the remedy. */
export function describeFinding({ level, code, nodeId, message }: Finding, { nodes }: Flow): string {
  const node = nodes.find(({ id }) => id === nodeId);
  const label = node ? node.label || node.id : (nodeId ?? "");
  const sentence = message.replace(`Node "${label}": `, "");
  return `${level.padEnd(7)}  ${code}  ${label === "" ? "" : `${label}: `}${sentence}\n`;
}

/** Writes a flow in the native format, and its findings to standard error. Fails as `check` does. */
export async function convertFlow(args: string[], { stdout, stderr }: Shell): Promise<number> {
  const { values, positionals } = readArguments(args, { out: { type: "string" } });
  const [path = oneFile(positionals), ...more] = positionals;
  const { compiled, report } = await readFlowFile(path, ...more);
  const { flow, findings } = compiled;
  for (const finding of findings) stderr.write(describeFinding(finding, flow));
  for (const line of report) stderr.write(`${line}\n`);
  const native = flow.nodes.length === 0 ? "" : `${JSON.stringify({ weft: 1, ...flow }, null, 2)}\n`;
  if (values.out === undefined) stdout.write(native);
  else if (native !== "") await write(native, values.out);
  return findings.some(({ level }) => level === "error") ? exitCodes.failed : exitCodes.done;
}

async function write(text: string, path: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (cause) {
    throw new FileError(`${path} cannot be written: ${(cause as Error).message}.`);
  }
}
