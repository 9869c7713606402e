import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parse as parseYaml, YAMLParseError } from "yaml";
import { FileError } from "../workbench/file-error.ts";
import { type FlowFile, parseJson, readFlowFile, readText } from "../workbench/read-flow-file.ts";
import { type FlowTestFile, parseFlowTests } from "./flow-test-file.ts";

/** The tests of a file and everything that it names. */
export type FlowTests = Pick<FlowTestFile, "cases" | "findings"> & {
  /** The test file's name without its ending. */
  name: string;
  flow: FlowFile;
  agents: readonly { id: string; name: string; flowData: string }[];
  recordingsPath: string;
};

const ending = /\.test\.(ya?ml|json)$/;

/** Reads a test file and its flows. Rejects with `FileError` for one that cannot be used. */
export async function loadFlowTests(path: string): Promise<FlowTests> {
  if (!ending.test(path)) {
    throw new FileError(`${path} is no test file. Its name ends in .test.yaml, .test.yml or .test.json.`);
  }
  const text = await readText(path);
  const parsed = parseFlowTests(path.endsWith(".json") ? parseJson(path, text) : readYaml(path, text));
  if (!parsed.ok) throw new FileError(parsed.mistakes.map((mistake) => `${path}: ${mistake}`).join("\n"));
  const { flow, agents, cases, findings } = parsed.file;
  const name = basename(path).replace(ending, "");
  const beside = (file: string) => join(dirname(path), file);
  return {
    name,
    cases,
    findings,
    flow: await readFlowFile(beside(flow ?? `${name}.flow.json`)),
    agents: await Promise.all(
      Object.entries(agents).map(async ([id, file]) => {
        return { id, name: file, flowData: (await readFlowFile(beside(file))).text };
      }),
    ),
    recordingsPath: beside(`${name}.recordings.json`),
  };
}

/** The text of the recordings, undefined when nothing was recorded yet. */
export async function readRecordings({ recordingsPath }: FlowTests): Promise<string | undefined> {
  return existsSync(recordingsPath) ? readText(recordingsPath) : undefined;
}

function readYaml(path: string, text: string): unknown {
  try {
    return parseYaml(text);
  } catch (cause) {
    if (!(cause instanceof YAMLParseError)) throw cause;
    throw new FileError(`${path} is not YAML: ${cause.message.split("\n", 1)[0]?.replace(/:$/, "")}.`);
  }
}
