import { integrationCredentialTypes } from "@weft/integrations";
import { providers } from "@weft/providers";
import {
  type CredentialField,
  type CredentialType,
  type CredentialValues,
  httpCredentialTypes,
  parseBoundHost,
} from "@weft/schema";
import { tracingCredentialTypes } from "@weft/telemetry";
import { vectorStoreTypes } from "@weft/vector-stores";

/** A kind of credential, and what a form asks for. */
export type KnownCredentialType = CredentialType & {
  /** `model`: for chat models; `other`: for what flows call. */
  purpose: "model" | "other";
  /** False for type names of existing clients that a model provider's own type has replaced. */
  isOffered: boolean;
  /** The operator's account whose address overrides the vendor's. */
  account?: string | undefined;
  /** The one address that the values name, for types of vendors with several. */
  addressOf?: (stored: CredentialValues) => string | undefined;
};

/** Every type: those of the model providers, their aliases in existing clients, and those of what flows call. */
export const knownCredentialTypes: readonly KnownCredentialType[] = [
  ...providers
    .flatMap((provider) => provider.credentialTypes)
    .toSorted((a, b) => Number(b.isOffered) - Number(a.isOffered))
    .map((type) => ({ ...type, purpose: "model" as const })),
  ...[
    ...integrationCredentialTypes,
    ...tracingCredentialTypes,
    ...Object.values<CredentialType>(httpCredentialTypes),
  ].map((type) => ({ ...type, purpose: "other" as const, isOffered: true })),
];

function findCredentialType(name: string): KnownCredentialType | undefined {
  return knownCredentialTypes.find((type) => type.name === name);
}

/** The answer of `GET /credential-types`. */
export function listCredentialTypes() {
  return knownCredentialTypes.map(({ fields, addressOf: _, addressField: __, ...type }) => ({
    ...type,
    fields: [...fields],
  }));
}

const allFields: readonly CredentialField[] = [
  ...knownCredentialTypes.flatMap(({ fields }) => fields),
  ...vectorStoreTypes.flatMap<CredentialField>(({ credentialFields }) => credentialFields),
];

/**
 * Whether a value of a credential is not a secret and shapes the request itself, so that the code that makes requests
 * must know it: addresses, user names and the names of headers. The credential's own type decides about its fields; a
 * field that it lacks, or of an unknown type, is plain if some type has it as plain and none as a secret.
 */
export function isPlainField(name: string, credentialName: string, stored: CredentialValues): boolean {
  const called = (field: CredentialField) => field.name === name || field.aliases?.includes(name) === true;
  const own = findCredentialType(credentialName)?.fields.find(called);
  if (own !== undefined) return isPlain(own, name, stored);
  const fields = allFields.filter(called);
  const isDistinct = fields.some((field) => field.plainBeside !== undefined && isPlain(field, name, stored));
  return isDistinct || (fields.length > 0 && fields.every((field) => isPlain(field, name, stored)));
}

function isPlain({ secret, plainBeside, ...field }: CredentialField, name: string, stored: CredentialValues): boolean {
  if (secret) return false;
  return plainBeside === undefined || field.name !== name || stored[plainBeside] !== undefined;
}

const noType: Partial<KnownCredentialType> = {};

/** The operator's addresses that replace a vendor's, by account; empty if none is set. */
export type OperatorAddresses = { accounts: Readonly<Record<string, { baseUrl: string }>> };

/**
 * Hosts that a credential may be sent to implicitly: its vendor's, or of these the one that its values name, and the
 * address that it holds itself.
 */
export function impliedHosts(credentialName: string, fields: CredentialValues, operator: OperatorAddresses): string[] {
  const {
    hosts: vendorHosts = [],
    account = "",
    addressOf,
    addressField = "baseUrl",
  } = findCredentialType(credentialName) ?? noType;
  const named = parseBoundHost(addressOf?.(fields) ?? "");
  const hosts = named === undefined ? vendorHosts : [named];
  const addresses = [operator.accounts[account]?.baseUrl ?? "", fields[addressField] ?? ""];
  return [...new Set([...hosts, ...addresses.flatMap((address) => parseBoundHost(address) ?? [])])];
}

/** Hosts that a provider calls if settings name no address: its vendor's, unless each credential has its own. */
export function hostsOfProvider(name: string, operator: OperatorAddresses): string[] {
  return findCredentialType(name)?.addressOf === undefined ? impliedHosts(name, {}, operator) : [];
}
