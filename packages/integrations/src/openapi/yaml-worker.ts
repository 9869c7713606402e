import { parentPort, workerData } from "node:worker_threads";
import { yamlToJson } from "./yaml-to-json.ts";

/** Answers the YAML text it was started with as JSON text; an exception ends it and becomes its `error` event. */
parentPort?.postMessage(yamlToJson(String(workerData)));
