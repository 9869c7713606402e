import { basename } from "node:path";
import { reviewNodes } from "@weft/engine";
import { integrations } from "@weft/integrations";
import { checkNeeds, type NeedsDeps } from "../../flows/check-needs.ts";
import { type FlowFile, readFlowFile } from "../../workbench/read-flow-file.ts";
import { askServer, toServer } from "./ask-server.ts";
import { describeFinding } from "./describe-finding.ts";
import { exitCodes } from "./exit-codes.ts";
import { oneFile, readArguments } from "./read-arguments.ts";

/** Prints what is wrong with a flow, as far as its file or the server named shows. Fails when something keeps it from running. */
export async function checkFlow(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { server: { type: "string" }, token: { type: "string" } });
  const server = toServer(values.server, values.token);
  const file = await readFlowFile(oneFile(positionals));
  const { path } = file;
  const { flow, findings } = server === undefined ? await checkAlone(file) : await askServer(server, file.text);
  for (const finding of findings) process.stdout.write(describeFinding(finding, flow));
  const errors = findings.filter(({ level }) => level === "error").length;
  const verdict = errors === 0 ? "can run" : "cannot run";
  process.stdout.write(
    `${basename(path)} ${verdict}: ${count(errors, "error")}, ${count(findings.length - errors, "warning")}.\n`,
  );
  return errors === 0 ? exitCodes.done : exitCodes.failed;
}

async function checkAlone({ compiled }: FlowFile) {
  const { flow, graph } = compiled;
  const findings = [...compiled.findings, ...reviewNodes(graph), ...(await checkNeeds(compiled, nothingStored))];
  return { flow, findings };
}

/** A file says nothing of the server that it is for: what is stored there is not looked at. */
const nothingStored: NeedsDeps = {
  integrations,
  storedTools: { find: async () => undefined, newestIds: async () => [] },
  known: {},
};

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
