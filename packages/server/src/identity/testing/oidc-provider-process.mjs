// A real OpenID Connect provider, for `real-provider.test.ts`. Prints its issuer, and ends with its standard input; each
// line of it is the group that everybody is in from then on.
import { createServer } from "node:http";
import Provider from "oidc-provider";

const [clientId, clientSecret, redirectUri] = process.argv.slice(2);

let group = "editors";

const accountOf = (accountId) => ({
  accountId,
  claims: () => ({
    sub: accountId,
    email: `${accountId}@corp.example`,
    email_verified: true,
    name: accountId,
    groups: [group],
  }),
});

const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    scopes: ["openid", "email", "profile", "groups"],
    pkce: { required: () => true },
    findAccount: (_, id) => accountOf(id),
  });
  server.on("request", provider.callback());
  process.stdout.write(`${issuer}\n`);
});
process.stdin.setEncoding("utf8").on("data", (line) => {
  group = line.trim();
});
process.stdin.on("end", () => process.exit(0));
