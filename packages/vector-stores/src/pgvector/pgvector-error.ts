import { WeftError } from "@weft/schema";

/** What went wrong at the database, as a failure of the store. Classes 08, 40, 53 and 57 of SQLSTATE pass by waiting. */
export function toPgvectorError(error: unknown): unknown {
  if (error instanceof WeftError || !(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const isNetwork = /^E[A-Z]{3,}$/.test(code) || /connection|timeout/i.test(error.message);
  if (code === "" && !isNetwork) return error;
  if (code.startsWith("28")) {
    const reason = "the database refuses the user or the password. Correct the credential.";
    return new WeftError("vector-store-not-configured", { params: { store: "pgvector", reason }, cause: error });
  }
  const words = error.message.split("\n")[0]?.slice(0, 300).replace(/\.$/, "") || code;
  return new WeftError("vector-store-failed", {
    params: { store: "pgvector", reason: `the database answers: ${words}.` },
    retryable: isNetwork || /^(08|40|53|57)/.test(code),
    cause: error,
  });
}
