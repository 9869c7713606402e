import { enableCompileCache } from "node:module";

// What is imported before goes into no cache.
enableCompileCache();

/** The operator's commands by name: `node main.ts doctor --json`. */
const commands = {
  backup: () => import("./backup.ts"),
  doctor: () => import("./doctor.ts"),
  export: () => import("./export.ts"),
  import: () => import("./import.ts"),
  "import-flowise": () => import("./import-flowise.ts"),
  openapi: () => import("./openapi.ts"),
  "reset-password": () => import("./reset-password.ts"),
  restore: () => import("./restore.ts"),
  "rotate-keys": () => import("./rotate-keys.ts"),
  token: () => import("./token.ts"),
};

const [name = "", ...args] = process.argv.slice(2);
if (isCommand(name)) {
  const { run } = await commands[name]();
  await run(args);
} else {
  process.stderr.write(`Unknown command "${name}". Commands: ${Object.keys(commands).join(", ")}.\n`);
  process.exitCode = 2;
}

function isCommand(given: string): given is keyof typeof commands {
  return Object.hasOwn(commands, given);
}
