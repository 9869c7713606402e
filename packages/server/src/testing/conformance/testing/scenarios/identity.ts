import { randomUUID } from "node:crypto";
import type { ApiOperation } from "../../../api-document.ts";
import type { Scenarios } from "../scenario.ts";
import type { World } from "../world.ts";

const email = "ada@example.com";
const password = "correct horse battery staple";

/** A platform with an account that is logged in. */
async function withAccount(world: World) {
  const platform = await world.openFresh();
  const token = (await platform.findSetupToken()) ?? "";
  const session = await platform.json<{ token: string }>("POST", "/auth/setup", { token, email, password });
  return { platform, headers: { authorization: `Bearer ${session.token}` } };
}

async function ownToken({ platform }: World) {
  return { token: await platform.issueToken() };
}

const asApiKey = {
  how: "an API key in place of a token",
  request: async (world: World) => ({ token: await world.keyWith("agents:read") }),
};

/** An account that was invited, and has logged in. */
async function invited({ create, platform }: World) {
  const { token } = await create("createInvitation", { email: `${randomUUID()}@example.com`, role: "editor" });
  const session = await platform.json<{ user: { id: string } }>("POST", "/invitations/accept", { token, password });
  return session.user.id;
}

async function invitedParams(world: World) {
  return { params: { id: await invited(world) } };
}

/** A link that nobody has used. */
async function linkToken(world: World) {
  const { token } = await world.create("createInvitation", { email: `${randomUUID()}@example.com`, role: "viewer" });
  return String(token);
}

const lastOwner = {
  how: "the last owner",
  async request(world: World, { method }: ApiOperation) {
    const { platform, headers } = await withAccount(world);
    const [owner] = await platform.json<{ id: string }[]>("GET", "/accounts");
    const body = method === "PUT" ? { role: "viewer" } : undefined;
    return platform.send(method, `/accounts/${owner?.id}`, body, headers);
  },
};

/** More failures than an address may have. */
const attempts = 10;

export const identityScenarios: Scenarios = {
  removeDestination: {
    async valid(world) {
      const { id } = await world.create("createCredential", { hosts: ["api.example.com"] });
      return { params: { id }, query: { destination: "https://api.example.com" } };
    },
  },
  logIn: {
    valid: () => ({ body: { email, password } }),
    special: {
      200: {
        how: "the password of an account",
        async request(world) {
          const { platform } = await withAccount(world);
          return platform.send("POST", "/auth/login", { email, password });
        },
      },
      401: { how: "a wrong password", request: () => ({ body: { email: "nobody@example.com", password: "wrong" } }) },
      429: {
        how: "a wrong password again and again",
        async request(world) {
          const body = { email: "mallory@example.com", password: "wrong" };
          for (let attempt = 0; attempt < attempts; attempt += 1) {
            await world.platform.send("POST", "/auth/login", body);
          }
          return { body };
        },
      },
    },
  },
  setUp: {
    valid: () => ({ body: { token: "wrong", email, password } }),
    special: {
      200: {
        how: "the one-time token",
        async request(world) {
          const platform = await world.openFresh();
          const token = (await platform.findSetupToken()) ?? "";
          return platform.send("POST", "/auth/setup", { token, email, password });
        },
      },
      401: {
        how: "a wrong token",
        async request(world) {
          const platform = await world.openFresh();
          return platform.send("POST", "/auth/setup", { token: "wrong", email, password });
        },
      },
      409: {
        how: "an account that exists already",
        async request(world) {
          const { platform } = await withAccount(world);
          return platform.send("POST", "/auth/setup", { token: "used", email, password });
        },
      },
    },
  },
  changePassword: {
    valid: () => ({ body: { currentPassword: password, newPassword: `${password}!` } }),
    special: {
      200: {
        how: "the account's own token and password",
        async request(world) {
          const { platform, headers } = await withAccount(world);
          const body = { currentPassword: password, newPassword: `${password}!` };
          return platform.send("PUT", "/auth/password", body, headers);
        },
      },
      429: {
        how: "a wrong password again and again",
        async request(world) {
          const { platform, headers } = await withAccount(world);
          const body = { currentPassword: "wrong", newPassword: password };
          const change = () => platform.send("PUT", "/auth/password", body, headers);
          for (let attempt = 0; attempt < attempts; attempt += 1) await change();
          return change();
        },
      },
      500: {
        how: "a fault in the code",
        request: (world, operation) =>
          world.sendToFaulty(operation, { body: { currentPassword: password, newPassword: password } }),
      },
    },
  },
  getAccount: { valid: invitedParams },
  updateAccount: {
    valid: async (world) => ({ ...(await invitedParams(world)), body: { role: "analyst" } }),
    special: { 409: lastOwner },
  },
  deleteAccount: { valid: invitedParams, special: { 409: lastOwner } },
  signOutAccount: { valid: invitedParams },
  offerPasswordReset: { valid: invitedParams },
  listRoles: { isWithoutStore: true },
  createInvitation: {
    special: {
      409: {
        how: "the address of an account",
        async request(world) {
          const { platform, headers } = await withAccount(world);
          return platform.send("POST", "/invitations", { email, role: "viewer" }, headers);
        },
      },
    },
  },
  lookAtInvitation: {
    valid: async (world) => ({ body: { token: await linkToken(world) } }),
    special: { 404: { how: "an unknown token", request: () => ({ body: { token: "unknown" } }) } },
  },
  acceptInvitation: {
    valid: async (world) => ({ body: { token: await linkToken(world), password } }),
    special: {
      404: { how: "an unknown token", request: () => ({ body: { token: "unknown", password } }) },
      409: {
        how: "an address that has got an account since",
        async request(world) {
          const platform = await world.openFresh();
          const { token } = await platform.json<{ token: string }>("POST", "/invitations", { email, role: "viewer" });
          const setupToken = await platform.findSetupToken();
          await platform.json("POST", "/auth/setup", { token: setupToken, email, password });
          return platform.send("POST", "/invitations/accept", { token, password });
        },
      },
    },
  },
  endSessions: {
    valid: ownToken,
    special: {
      200: {
        how: "an account's own token",
        async request(world) {
          const { platform, headers } = await withAccount(world);
          return platform.send("DELETE", "/auth/sessions", undefined, headers);
        },
      },
      400: asApiKey,
    },
  },
  getAuditLog: {
    valid: () => ({}),
    special: { 400: { how: "more than a page may have", request: () => ({ query: { limit: "201" } }) } },
  },
  exportAudit: {
    valid: () => ({}),
    special: { 400: { how: "a format that there is not", request: () => ({ query: { format: "xml" } }) } },
  },
  logOut: { valid: ownToken, special: { 400: asApiKey } },
  refreshToken: { valid: ownToken, special: { 400: asApiKey } },
  createApiKey: {
    special: {
      409: {
        how: "the id of another key",
        async request(world) {
          const { id } = await world.create("createApiKey");
          return { body: { id, keyName: "again" } };
        },
      },
    },
  },
  verifyApiKey: { valid: async (world) => ({ params: { apikey: await world.keyWith("agents:read") } }) },
};
