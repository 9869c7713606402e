import type { Require, SystemCall } from "./requirer.ts";

type Bytes = Uint8Array & { toString(encoding?: string): string };
type BufferClass = { from(data: unknown, encoding?: string): Bytes };
type Part = { text: string; encoding: string };

/** Runs inside QuickJS, from its source text: what code uses most of `node:crypto`. The host computes. */
export function createCryptoModule(call: SystemCall, require: Require) {
  const bytes = () => (require("buffer") as { Buffer: BufferClass }).Buffer;
  const toPart = (data: unknown, encoding?: string): Part =>
    typeof data === "string"
      ? { text: data, encoding: encoding ?? "utf8" }
      : { text: bytes().from(data).toString("base64"), encoding: "base64" };

  const createDigest = (algorithm: unknown, key?: Part) => {
    call({ do: "check-hash", algorithm: String(algorithm) });
    const parts: Part[] = [];
    let isDone = false;
    const digest = {
      update(data: unknown, encoding?: string) {
        if (isDone) throw new Error("Digest already called");
        parts.push(toPart(data, encoding));
        return digest;
      },
      digest(encoding?: string) {
        if (isDone) throw new Error("Digest already called");
        isDone = true;
        const request = { do: "digest", algorithm: String(algorithm), key, parts, encoding: encoding ?? "base64" };
        const text = call(request) as string;
        return encoding === undefined || encoding === "buffer" ? bytes().from(text, "base64") : text;
      },
    };
    return digest;
  };

  const createHash = (algorithm: unknown) => createDigest(algorithm);
  return {
    createHash,
    createHmac: (algorithm: unknown, key: unknown) => createDigest(algorithm, toPart(key)),
    hash: (algorithm: unknown, data: unknown, encoding = "hex") => createHash(algorithm).update(data).digest(encoding),
    randomUUID: () => call({ do: "random-uuid" }),
    randomBytes: (size: unknown) => bytes().from(call({ do: "random-bytes", size: Number(size) }), "base64"),
    randomInt: (first: unknown, second?: unknown) => {
      const [least, below] = second === undefined ? [0, Number(first)] : [Number(first), Number(second)];
      return call({ do: "random-int", least, below });
    },
    getHashes: () => call({ do: "hashes" }),
  };
}
