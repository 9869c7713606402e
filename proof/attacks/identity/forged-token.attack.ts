import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";

export const attack = defineAttack({
  name: "forged and unsigned tokens",
  async run(house) {
    const visitor = house.visitor();
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = part({ sub: "operator", iat: 1, exp: 9_999_999_999, jti: "x", gen: 0 });
    const [, realClaims = "", signature = ""] = house.platform.token.split(".");
    const tokens = [
      `${part({ alg: "none", typ: "JWT" })}.${claims}.`,
      `${part({ alg: "HS256", typ: "JWT" })}.${claims}.${signature}`,
      `${part({ alg: "none" })}.${realClaims}.`,
      `${house.platform.token.slice(0, -2)}xx`,
      "wk_00000000000000000000000000000000",
      "undefined",
    ];
    for (const token of tokens) {
      const { status } = await visitor.send("GET", "/api/v1/credentials", undefined, {
        headers: { authorization: `Bearer ${token}` },
      });
      assert.equal(status, 401, token);
    }
    const { status } = await visitor.send("GET", "/api/v1/credentials", undefined, {
      headers: { authorization: `Bearer ${house.platform.token}` },
    });
    assert.equal(status, 200, "The real token does not open it, so the attack proves nothing.");
    return `${tokens.length} forged tokens were refused, the real one was taken.`;
  },
});
