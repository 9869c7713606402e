import type { Shell } from "./run-command.ts";

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

/** Runs the command named by the first word: `doctor --json`. Its exit status is the shell's. */
export async function runNamed([name = "", ...args]: readonly string[], shell: Shell): Promise<void> {
  if (isCommand(name)) {
    const { run } = await commands[name]();
    await run(args, shell);
  } else {
    shell.stderr.write(`Unknown command "${name}". Commands: ${Object.keys(commands).join(", ")}.\n`);
    shell.exitCode = 2;
  }
}

function isCommand(given: string): given is keyof typeof commands {
  return Object.hasOwn(commands, given);
}
