/** What `npm audit --json` means for a check: vulnerable packages fail it, a registry that does not answer does not. */
export type AuditVerdict = { isFailure: boolean; text: string };

type Report = {
  vulnerabilities?: Record<string, { severity: string; via: readonly (string | { title?: string; url?: string })[] }>;
  message?: string;
  error?: { summary?: string };
};

const severe = new Set(["high", "critical"]);

export function judgeAudit(output: string): AuditVerdict {
  const report = parse(output);
  if (report?.vulnerabilities === undefined) {
    const reason = report?.message || report?.error?.summary || "no answer";
    return { isFailure: false, text: `audit: the registry says nothing of the runtime packages (${reason}).` };
  }
  const found = Object.entries(report.vulnerabilities).filter(([, { severity }]) => severe.has(severity));
  if (found.length === 0)
    return { isFailure: false, text: "audit: no high or critical advisory for runtime packages." };
  const lines = found.map(([name, { severity, via }]) => `  ${name} (${severity}): ${via.map(toText).join("; ")}`);
  return { isFailure: true, text: ["audit: runtime packages with advisories. Update them:", ...lines].join("\n") };
}

function toText(cause: string | { title?: string; url?: string }): string {
  return typeof cause === "string" ? `through ${cause}` : [cause.title, cause.url].filter(Boolean).join(" ");
}

function parse(output: string): Report | undefined {
  try {
    return JSON.parse(output) as Report;
  } catch {
    return undefined;
  }
}
