import type { Require, SystemCall } from "./requirer.ts";

type Part = { text: string; encoding: string };

/** Runs inside QuickJS, from its source text: the most used parts of `node:crypto`. The host computes. */
export function createCryptoModule(call: SystemCall, require: Require) {
  const bytes = () => require("buffer").Buffer;
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
        const asked = { algorithm: String(algorithm), key, parts, encoding: encoding ?? "base64" };
        const text = call({ do: "digest", ...asked });
        return encoding === undefined || encoding === "buffer" ? bytes().from(text, "base64") : text;
      },
    };
    return digest;
  };

  const createHash = (algorithm: unknown) => createDigest(algorithm);
  const randomBytes = (size: unknown) => bytes().from(call({ do: "random-bytes", size: Number(size) }), "base64");
  const toView = (data: ArrayBuffer | ArrayBufferView) =>
    ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
  const webcrypto = {
    randomUUID: () => call({ do: "random-uuid" }),
    getRandomValues<View extends ArrayBufferView>(view: View): View {
      toView(view).set(randomBytes(view.byteLength));
      return view;
    },
    subtle: {
      async digest(algorithm: string | { name: string } | null, data: ArrayBuffer | ArrayBufferView) {
        const name = typeof algorithm === "object" ? algorithm?.name : algorithm;
        const made = createHash(name).update(toView(data)).digest() as Uint8Array;
        return new Uint8Array(made).buffer;
      },
    },
  };
  const timingSafeEqual = (one: Uint8Array, other: Uint8Array) => {
    if (one.length !== other.length) throw new RangeError("Input buffers must have the same byte length");
    let difference = 0;
    for (let index = 0; index < one.length; index += 1) difference |= (one[index] ?? 0) ^ (other[index] ?? 0);
    return difference === 0;
  };
  return {
    webcrypto,
    ...webcrypto,
    timingSafeEqual,
    createHash,
    createHmac: (algorithm: unknown, key: unknown) => createDigest(algorithm, toPart(key)),
    hash: (algorithm: unknown, data: unknown, encoding = "hex") => createHash(algorithm).update(data).digest(encoding),
    randomBytes,
    randomInt: (first: unknown, second?: unknown) => {
      const [least, below] = second === undefined ? [0, Number(first)] : [Number(first), Number(second)];
      return call({ do: "random-int", least, below });
    },
    getHashes: () => call({ do: "hashes" }),
  };
}
