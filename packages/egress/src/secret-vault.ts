import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { coversUrl, toBoundHost, WeftError } from "@weft/schema";
import { createRedactor, type Redactor } from "./redactor.ts";
import { formsOf, isOrdinary } from "./secret-forms.ts";

/** A secret and where it may go. */
type BoundSecret = {
  value: string;
  /** Of the credential, for messages. */
  name: string;
  /** Entries as `parseBoundHost` makes them. */
  hosts: readonly string[];
};

/** Puts a secret into its place in a request: raw, or escaped for JSON or a URL. */
export type Encode = (value: string) => string;

/**
 * Secrets that are in use. Invariants:
 * V1 What reads a credential holds stand-ins, never values. A stand-in leaks nothing, wherever it ends up.
 * V2 A value takes the place of its stand-in only in a request that goes out, and only to a host it is bound to.
 * V3 A value that went out is known from then on, in all its spellings, and is taken out of whatever comes back.
 */
export type SecretVault = {
  /** The stand-in of a secret: the same text for the same key, which then stands for the newest value. */
  lend(key: string, secret: BoundSecret): string;
  /** Whether a text holds a stand-in. */
  holds(text: string): boolean;
  /** The text with the values. Throws `credential-host` when one is not bound to the host of `url`. */
  fill(text: string, url: URL, encode?: Encode): string;
  /** The value behind a stand-in, for connections that are not HTTP. As `fill`. */
  reveal(text: string, host: string): string;
  /** A text that came back, with stand-ins in the place of values: what follows a redirect is bound as before. */
  hide(text: string): string;
  /** Takes a value of the operator's environment for one that was used, unless it is an ordinary one: see `isOrdinary`. */
  know(value: string): void;
  /** Takes out every value that was used. */
  redactor(): Redactor;
};

const prefix = "weft-secret-";
const pattern = /weft-secret-[0-9a-f]{32}/g;
/** Values that are remembered; the one first used longest ago goes first. */
const maxRemembered = 5_000;

export function createSecretVault(): SecretVault {
  const secrets = new Map<string, BoundSecret>();
  const standIns = new Map<string, string>();
  const used = new Map<string, readonly string[]>();
  let redactor = createRedactor([]);

  function remember(value: string): void {
    if (used.has(value)) return;
    used.set(value, formsOf(value));
    if (used.size > maxRemembered) used.delete(used.keys().next().value ?? "");
    redactor = createRedactor([...used.values()].flat());
  }

  function fill(text: string, url: URL, encode: Encode = (value) => value): string {
    if (!text.includes(prefix)) return text;
    return text.replaceAll(pattern, (standIn) => {
      const secret = secrets.get(standIn);
      if (secret === undefined) return standIn;
      if (!coversUrl(secret.hosts, url)) throw refusal(secret, url);
      remember(secret.value);
      return encode(secret.value);
    });
  }

  return {
    lend(key, secret) {
      const standIn = standIns.get(key) ?? prefix + randomUUID().replaceAll("-", "");
      standIns.set(key, standIn);
      secrets.set(standIn, secret);
      return standIn;
    },
    holds: (text) => text.includes(prefix),
    fill,
    reveal: (text, host) => fill(text, new URL(`http://${host}`)),
    hide(text) {
      let hidden = text;
      for (const [standIn, { value }] of secrets) {
        for (const form of used.get(value) ?? []) hidden = hidden.replaceAll(form, () => standIn);
      }
      return hidden;
    },
    know(value) {
      if (!isOrdinary(value)) remember(value);
    },
    redactor: () => redactor,
  };
}

/** The text with the mark in the place of stand-ins, for addresses that are shown. */
export function withoutStandIns(text: string, mark: string): string {
  return text.includes(prefix) ? text.replaceAll(pattern, mark) : text;
}

/** Bytes with the values; as `fill`. */
export function fillBytes(vault: SecretVault, bytes: Uint8Array, url: URL, encode?: Encode): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!text.includes(prefix)) return bytes;
  const toBytes: Encode = (value) => Buffer.from(encode === undefined ? value : encode(value)).toString("latin1");
  return Buffer.from(vault.fill(text.toString("latin1"), url, toBytes), "latin1");
}

function refusal({ name, hosts }: BoundSecret, url: URL): WeftError {
  const listed = hosts.length === 0 ? "no host yet" : `only ${hosts.join(", ")}`;
  return new WeftError("credential-host", { params: { url: url.origin, name, hosts: listed, host: toBoundHost(url) } });
}
