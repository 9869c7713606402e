import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { demoFlowFiles, flowsFolder } from "./demo-flows.ts";

// Writes the flows of the demonstration agents again after they changed.
for (const [name, text] of await demoFlowFiles()) await writeFile(join(flowsFolder, name), text);
