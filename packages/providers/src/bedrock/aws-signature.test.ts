import assert from "node:assert/strict";
import { test } from "node:test";
import { signAwsRequest } from "./aws-signature.ts";

/** Of AWS's own test suite for the signature. */
const keys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
const scope = { region: "us-east-1", service: "service", at: new Date("2015-08-30T12:36:00Z") };

function signatureOf(request: { url: string; headers?: Record<string, string>; body?: string }, own = keys): string {
  const { url, headers = {}, body = "" } = request;
  const { authorization } = signAwsRequest({ url: new URL(url), headers, body }, own, scope);
  return authorization;
}

test("a POST is signed as AWS's test suite has it", () => {
  assert.equal(
    signatureOf({ url: "https://example.amazonaws.com/" }),
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
  );
  assert.match(
    signatureOf({
      url: "https://example.amazonaws.com/",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "Param1=value1",
    }),
    /SignedHeaders=content-type;host;x-amz-date, Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a$/,
  );
});

test("a session token is sent and signed", () => {
  const own = { ...keys, sessionToken: "a-token" };
  const url = new URL("https://example.amazonaws.com/");
  const headers = signAwsRequest({ url, headers: {}, body: "" }, own, scope);
  assert.equal((headers as Record<string, string>)["x-amz-security-token"], "a-token");
  assert.match(headers.authorization, /SignedHeaders=host;x-amz-date;x-amz-security-token,/);
});

test("what is sent changes the signature", () => {
  const base = { url: "https://example.amazonaws.com/model/a%3A0/converse", body: "{}" };
  const others = [
    { ...base, body: "{ }" },
    { ...base, url: base.url.replace("%3A", ":") },
    { ...base, url: `${base.url}?a=b` },
    { ...base, headers: { "x-amz-own": "1" } },
  ];
  assert.equal(new Set([base, ...others].map((request) => signatureOf(request))).size, 5);
});
