import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { judgeAudit } from "./judge-audit.ts";
import { served } from "./runtime-packages.ts";

const cwd = fileURLToPath(new URL("../..", import.meta.url));
const isWindows = process.platform === "win32";
const workspaces = served.map((folder) => `--workspace=${folder}`);
const command = ["audit", ...workspaces, "--omit=dev", "--json", "--fetch-retries=1", "--fetch-timeout=20000"];
const { stdout } = spawnSync("npm", command, { cwd, encoding: "utf8", shell: isWindows, timeout: 60_000 });
const { isFailure, text } = judgeAudit(stdout ?? "");
console.log(text);
if (isFailure) process.exitCode = 1;
