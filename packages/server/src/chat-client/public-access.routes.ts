import { defineRoute, type Route } from "@weft/http";
import { isAccount } from "@weft/http/identity";
import { publicAccessChoiceSchema, publicAccessSchema, WeftError } from "@weft/schema";
import type { PublicAccess } from "./public-access.ts";

const shared = {
  path: "/api/v1/public-access",
  tag: "Chat clients",
  returns: { schema: publicAccessSchema },
} as const;

/** Whether visitors may use public agents at all. API keys are for programs and cannot open a server to everyone. */
export function publicAccessRoutes(access: PublicAccess): Route[] {
  return [
    defineRoute({
      ...shared,
      method: "GET",
      operationId: "getPublicAccess",
      summary: "Get whether public agents answer without credentials",
      permission: "signed-in",
      errors: [],
      handle: () => access.get(),
    }),
    defineRoute({
      ...shared,
      method: "PUT",
      operationId: "choosePublicAccess",
      summary: "Choose whether public agents answer without credentials",
      description: "Only for accounts, and where the environment does not decide with `ALLOW_PUBLIC_FLOWS`.",
      permission: "agents:write",
      body: publicAccessChoiceSchema,
      errors: [400, 409],
      handle({ body: { isAllowed }, identity }) {
        if (isAccount(identity)) return access.choose(isAllowed);
        const reason = "Only an account can open a server to visitors. Log in, or set ALLOW_PUBLIC_FLOWS.";
        throw new WeftError("parameters-invalid", { params: { reason } });
      },
    }),
  ];
}
