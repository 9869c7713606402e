import type { Limits, Route } from "@weft/http";
import type { IdentityContext } from "../accounts/index.ts";
import type { OidcDeps } from "./oidc-client.ts";
import { providerRoutes } from "./provider.routes.ts";
import { createProviderService, type GivenProvider, type Sealing } from "./provider.service.ts";
import { signInRoutes } from "./sign-in.routes.ts";
import { createSignInService } from "./sign-in.service.ts";

export type SingleSignOnDeps = Omit<OidcDeps, "clock"> & {
  limits: Limits;
  sealing: Sealing;
  /** The key that signs tokens. */
  tokenKey: () => Uint8Array;
  /** The provider of the operator's configuration. */
  given: GivenProvider | undefined;
  /** Where browsers reach the server; empty if not configured. */
  publicUrl: string;
};

export type SingleSignOn = { routes: Route[] };

/** Signing in by OpenID Connect, and the providers for it. */
export function createSingleSignOn(context: IdentityContext, deps: SingleSignOnDeps): SingleSignOn {
  const providers = createProviderService(context, deps.sealing, deps.given);
  const signIn = createSignInService(context, providers, deps);
  return { routes: [...signInRoutes(signIn, deps.publicUrl), ...providerRoutes(providers)] };
}
