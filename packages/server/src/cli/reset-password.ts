import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { resetPassword } from "@weft/identity";
import { systemClock } from "@weft/run-host";
import { emailInputSchema, passwordInputSchema } from "@weft/schema";
import { readConfig } from "../config.ts";
import type { Shell } from "./run-command.ts";
import { runCommand, withDatabase } from "./run-command.ts";

const usage = `Usage: npm run -s reset-password -- EMAIL

Sets a new password for an account and voids all its tokens. The password is the first line of standard input; without
input one is made up and printed, this once. With SQLite, stop the server first.
`;

export function run(args: string[], shell: Shell): Promise<void> {
  return runCommand(shell, async () => {
    const { values, positionals } = parseArgs({
      args,
      options: { help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    });
    if (values.help) {
      shell.stdout.write(usage);
      return;
    }
    const email = readEmail(positionals);
    const given = await readPassword(shell);
    const password = given ?? randomBytes(18).toString("base64url");
    const isKnown = await withDatabase(readConfig(shell.env), (database) =>
      resetPassword(database, systemClock, { email, password }),
    );
    if (!isKnown) throw new Error(`No account has the e-mail address ${email}.`);
    shell.stdout.write(`The password of ${email} was changed; all its tokens are void.\n`);
    if (given === undefined) shell.stdout.write(`The new password, shown this once: ${password}\n`);
  });
}

function readEmail([email, ...more]: readonly string[]): string {
  const parsed = emailInputSchema.safeParse(email);
  if (parsed.success && more.length === 0) return parsed.data;
  throw new Error("Name the account by its e-mail address: npm run -s reset-password -- EMAIL");
}

/** Undefined without input. */
async function readPassword({ stdin }: Shell): Promise<string | undefined> {
  const input = stdin.isTTY ? "" : await text(stdin);
  if (input === "") return undefined;
  const parsed = passwordInputSchema.safeParse(input.split(/\r?\n/, 1)[0]);
  if (parsed.success) return parsed.data;
  throw new Error(`The password ${parsed.error.issues[0]?.message}.`);
}
