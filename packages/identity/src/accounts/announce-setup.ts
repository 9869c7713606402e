/** Data for the operator to create the first account. The token follows a #, which browsers do not send. */
export type SetupAnnouncement = { url: string; token: string; isTerminal: boolean; now: number };

/**
 * Formats the one-time set-up URL: a prominent banner at a terminal, otherwise one line of JSON like the log's. Write
 * it only to standard output, never through the logger.
 */
export function toSetupAnnouncement({ url, token, isTerminal, now }: SetupAnnouncement): string {
  const address = `${url}/setup#${token}`;
  if (!isTerminal) {
    const reason = `No account exists yet. Create the first one, once, in a browser at ${address} or with POST ${url}/api/v1/auth/setup and this token.`;
    const line = { time: new Date(now).toISOString(), level: "info", event: "setup-address-made", reason, token };
    return `${JSON.stringify(line)}\n`;
  }
  const call = `curl -X POST ${url}/api/v1/auth/setup -H 'Content-Type: application/json'`;
  const body = `{"token":"${token}","email":"you@example.com","password":"…"}`;
  const rule = "─".repeat(Math.max(72, address.length + 4));
  const lines = [
    "No account exists yet. Open this address in a browser to create the first one (it works once):",
    "",
    `    ${address}`,
    "",
    `or from a shell:  ${call} -d '${body}'`,
  ];
  return `\n${rule}\n\n${lines.map((line) => (line === "" ? "" : `  ${line}`)).join("\n")}\n\n${rule}\n\n`;
}
