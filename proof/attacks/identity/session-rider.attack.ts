import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { defineAttack } from "../house/define-attack.ts";

/** What a page of another site can make a browser send without asking: its cookies, and no header of its own. */
const simpleTypes = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"];
const refused = 401;

export const attack = defineAttack({
  name: "a page of another site, and a script on a page of ours, use the session of someone who is signed in",
  async run(house) {
    const email = `${randomUUID()}@example.com`;
    const { token: invitation } = await house.owner<{ token: string }>("POST", "/invitations", {
      email,
      role: "admin",
    });
    const use = { token: invitation, password: "a good long password" };
    const page = house.visitor({ "x-weft-session": "cookie" });
    const entered = await page.send("POST", "/api/v1/invitations/accept", use);
    const [setCookie = ""] = [entered.headers["set-cookie"]].flat();
    assert.match(setCookie, /; HttpOnly; SameSite=Strict/, "Scripts or other sites get the cookie.");
    assert.equal(entered.json<{ token: string }>().token, "", "A script reads the token in the answer.");
    const cookie = setCookie.split(";")[0] ?? "";
    const signedIn = house.visitor({ "x-weft-session": "cookie", cookie });
    assert.equal((await signedIn.send("GET", "/api/v1/accounts")).status, 200, "The session did not work before.");

    // As if the browser ignored SameSite, too.
    const evil = house.visitor({ cookie, origin: "https://evil.example", "sec-fetch-site": "cross-site" });
    const key = { keyName: "planted", permissions: ["*"] };
    for (const type of simpleTypes) {
      const { status } = await evil.send("POST", "/api/v1/apikey", key, { headers: { "content-type": type } });
      assert.equal(status, refused, `A form of ${type} was taken.`);
    }
    for (const path of ["/api/v1/accounts", "/api/v1/apikey", "/api/v1/auth/me"]) {
      assert.equal((await evil.send("GET", path)).status, refused, `${path} was answered.`);
    }
    const preflight = {
      "access-control-request-method": "POST",
      "access-control-request-headers": "x-weft-session, content-type",
    };
    const { headers } = await evil.send("OPTIONS", "/api/v1/apikey", undefined, { headers: preflight });
    const permitted = `${headers["access-control-allow-headers"]} ${headers["access-control-allow-credentials"]}`;
    assert.doesNotMatch(permitted, /x-weft-session|true/i, "The header is permitted.");

    assert.equal((await signedIn.send("POST", "/api/v1/auth/logout")).status, 200);
    assert.equal((await signedIn.send("GET", "/api/v1/accounts")).status, refused, "The cookie outlives the session.");
    return `Three forms, three reads and a preflight got nothing; the cookie is ${setCookie.replace(/=[^;]*/, "=…")}.`;
  },
});
