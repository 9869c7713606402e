import type { Tables } from "@weft/database";
import type { Identity } from "@weft/http/identity";
import {
  type IdentityProvider,
  type IdentityProviderCreate,
  type IdentityProviderUpdate,
  momentAfter,
  type Role,
  type RoleRule,
  roles,
  toMoment,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import type { IdentityContext } from "../accounts/index.ts";
import { assertMayManage } from "../people/rights.ts";
import * as store from "./provider.store.ts";
import { type IdentityProviderRow, rows } from "./provider.store.ts";

/** Seals texts of a record as credentials are sealed, with the keys that are rotated with theirs. */
export type Sealing = {
  seal(tx: Kysely<Tables>, text: string, recordId: string): Promise<string>;
  /** Rejects with `credential-unreadable` if no key opens it. */
  unseal(sealed: string, recordId: string): string;
};

/** A provider from the environment, with its secret. */
export type GivenProvider = {
  issuer: string;
  clientId: string;
  clientSecret: { reveal(): string };
  name: string;
};

/** A provider as a sign-in needs it. */
export type ProviderForSignIn = IdentityProvider & { clientSecret: string };

type Change = {
  body: IdentityProviderUpdate;
  editor: Identity;
  assertMatches(current: IdentityProvider): void;
};

/**
 * Where people sign in. Nobody sets up, changes or removes a provider that gives a role which they may not give: who
 * decides what a provider says could take the role for themselves.
 */
export type ProviderService = {
  /** By name, the one from the environment first; 101 at most. */
  list(): Promise<IdentityProvider[]>;
  /** Rejects with `not-found`, as the others do. */
  get(id: string): Promise<IdentityProvider>;
  /** Rejects with `conflict` if the slug or the id is taken, and with `forbidden`. */
  create(body: IdentityProviderCreate & { id?: string | undefined }, creator: Identity): Promise<IdentityProvider>;
  update(id: string, change: Change): Promise<IdentityProvider>;
  /** Those who sign in with it keep their accounts. */
  remove(id: string, remover: Identity): Promise<void>;
  /** With its secret. */
  forSignIn(id: string): Promise<ProviderForSignIn>;
  /** Undefined where there is none, or it is switched off. */
  findBySlug(slug: string): Promise<IdentityProvider | undefined>;
};

const most = 100;

/** The slug and the id of the provider from the environment. */
const givenSlug = "sso";
const givenId = "00000000-0000-4000-8000-0000000051d0";

export function createProviderService(
  { database, clock, ids }: IdentityContext,
  sealing: Sealing,
  given: GivenProvider | undefined,
): ProviderService {
  const { read } = database;
  const ofEnvironment = given && toGivenProvider(given);

  function assertOwn(id: string): void {
    if (id !== ofEnvironment?.id) return;
    const reason = "This provider is set by OIDC_ISSUER in the server's environment. Change it there.";
    throw new WeftError("conflict", { params: { reason } });
  }

  async function assertSlugIsFree(tx: Kysely<Tables>, { id, slug }: { id: string; slug: string }): Promise<void> {
    const other = await store.findProviderBySlug(tx, slug);
    if (slug !== ofEnvironment?.slug && (other === undefined || other.id === id)) return;
    throw new WeftError("conflict", { params: { reason: `There is a provider with the slug ${slug} already.` } });
  }

  async function get(id: string): Promise<IdentityProvider> {
    return ofEnvironment?.id === id ? ofEnvironment : toProvider(await rows.get(read, id));
  }

  return {
    get,

    async list() {
      const stored = await store.allProviders(read).execute();
      return [...(ofEnvironment === undefined ? [] : [ofEnvironment]), ...stored.map(toProvider)];
    },

    create({ id = ids.uuid(), clientSecret, ...body }, creator) {
      const now = toMoment(clock.now());
      return database.write(async (tx) => {
        const fields = { ...body, id, hasClientSecret: clientSecret !== "", createdDate: now, updatedDate: now };
        const provider: IdentityProvider = { ...fields, source: "stored" };
        await assertMayGive(tx, creator, provider);
        assertComplete(provider);
        assertOwn(id);
        await assertSlugIsFree(tx, provider);
        if ((await store.countProviders(tx)) >= most) throw tooMany();
        const sealed = clientSecret === "" ? "" : await sealing.seal(tx, clientSecret, id);
        await rows.insert(tx, toRow(provider, sealed));
        return provider;
      });
    },

    async update(id, { body: { clientSecret, ...body }, editor, assertMatches }) {
      assertOwn(id);
      return database.write(async (tx) => {
        const row = await rows.lock(tx, id);
        const current = toProvider(row);
        await assertMayGive(tx, editor, current);
        assertMatches(current);
        const next: IdentityProvider = {
          ...current,
          ...onlyGiven(body),
          hasClientSecret: clientSecret === undefined ? current.hasClientSecret : clientSecret !== "",
          updatedDate: momentAfter(current.updatedDate, clock.now()),
        };
        await assertMayGive(tx, editor, next);
        assertComplete(next);
        assertSecretStays(current, next, clientSecret);
        await assertSlugIsFree(tx, next);
        const sealed = clientSecret ? await sealing.seal(tx, clientSecret, id) : "";
        await rows.update(tx, toRow(next, clientSecret === undefined ? row.clientSecret : sealed));
        return next;
      });
    },

    async remove(id, remover) {
      assertOwn(id);
      await database.write(async (tx) => {
        await assertMayGive(tx, remover, toProvider(await rows.lock(tx, id)));
        await rows.remove(tx, id);
      });
    },

    async forSignIn(id) {
      if (ofEnvironment?.id === id && given !== undefined)
        return { ...ofEnvironment, clientSecret: given.clientSecret.reveal() };
      const row = await rows.get(read, id);
      const clientSecret = row.clientSecret === "" ? "" : sealing.unseal(row.clientSecret, id);
      return { ...toProvider(row), clientSecret };
    },

    async findBySlug(slug) {
      if (slug === ofEnvironment?.slug) return ofEnvironment;
      const row = await store.findProviderBySlug(read, slug);
      return row?.isEnabled === 1 ? toProvider(row) : undefined;
    },
  };
}

function onlyGiven(body: IdentityProviderUpdate): Partial<IdentityProvider> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** Every role that a provider can give. */
export function rolesOf({ defaultRole, roleClaim, roleRules }: IdentityProvider): Role[] {
  const ofRules = roleClaim === "" ? [] : roleRules.map(({ role }) => role);
  return roles.filter((role) => role === defaultRole || ofRules.includes(role));
}

/** Those who may manage it: a provider that gives no role still says who someone is, so that it counts as one of a viewer. */
async function assertMayGive(tx: Kysely<Tables>, editor: Identity, provider: IdentityProvider): Promise<void> {
  for (const role of ["viewer" as const, ...rolesOf(provider)]) await assertMayManage(tx, editor, role);
}

/** A sign-in that makes an account needs a role for it, and one by domain the domains. */
function assertComplete(provider: IdentityProvider): void {
  const { signUp, domains, roleClaim, roleRules } = provider;
  if (signUp === "domains" && domains.length === 0)
    throw incomplete("domains", "must name a domain, because accounts are made for people of these domains");
  if (signUp !== "nobody" && rolesOf(provider).length === 0)
    throw incomplete("defaultRole", "must be a role, because new accounts need one");
  if ((roleClaim === "") !== (roleRules.length === 0))
    throw incomplete("roleClaim", "is needed where there are rules for roles, and only there");
}

/** The secret must not follow to an address that someone else chose. */
function assertSecretStays(current: IdentityProvider, next: IdentityProvider, secret: string | undefined): void {
  if (current.issuer === next.issuer || !current.hasClientSecret || secret !== undefined) return;
  throw incomplete("clientSecret", "must be entered again, because the issuer changes");
}

function incomplete(path: string, message: string): WeftError {
  return new WeftError("body-invalid", { params: { reason: `${path}: ${message}` }, errors: [{ path, message }] });
}

function tooMany(): WeftError {
  return new WeftError("conflict", { params: { reason: `There are ${most} providers. Delete one first.` } });
}

function toGivenProvider({ issuer, clientId, clientSecret, name }: GivenProvider): IdentityProvider {
  return {
    ...{ id: givenId, slug: givenSlug, name, issuer, clientId, hasClientSecret: clientSecret.reveal() !== "" },
    ...{ scopes: "openid email profile", domains: [], signUp: "nobody", defaultRole: null, roleClaim: "" },
    ...{ roleRules: [], isEnabled: true, source: "environment" },
    ...{ createdDate: toMoment(0), updatedDate: toMoment(0) },
  };
}

function toProvider({ clientSecret, domains, roleRules, isEnabled, ...row }: IdentityProviderRow): IdentityProvider {
  return {
    ...row,
    hasClientSecret: clientSecret !== "",
    domains: JSON.parse(domains) as string[],
    roleRules: JSON.parse(roleRules) as RoleRule[],
    isEnabled: isEnabled === 1,
    source: "stored",
  };
}

function toRow(provider: IdentityProvider, clientSecret: string): IdentityProviderRow {
  const { hasClientSecret: _, source: __, domains, roleRules, isEnabled, ...fields } = provider;
  return {
    ...fields,
    clientSecret,
    domains: JSON.stringify(domains),
    roleRules: JSON.stringify(roleRules),
    isEnabled: isEnabled ? 1 : 0,
  };
}
