import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  hasValidAppearance,
  isColour,
  isPicture,
  largestPictureBytes,
  mostStarters,
  readChatLook,
  toShownName,
} from "./chat-look.ts";

const read = (config: object) => readChatLook(JSON.stringify(config));
const pictureOf = (bytes: number, type = "image/png") =>
  `data:${type};base64,${Buffer.alloc(bytes, 1).toString("base64")}`;

describe("the look of a chat", () => {
  it("has what chat clients know, and nothing else", () => {
    const look = {
      title: "Shop",
      welcomeMessage: "Hello",
      botMessage: { backgroundColor: "#fff", showAvatar: true },
      button: { size: 48, autoWindowOpen: { autoOpen: true } },
      starterPrompts: { "0": { prompt: "Hi" } },
      chatFeedback: { status: true },
      leads: { status: true, title: "Who are you?", name: true, email: true },
      fullFileUpload: { status: true, allowedUploadFileTypes: "text/plain" },
    };
    const hidden = {
      allowedOrigins: ["https://shop.example"],
      allowedOriginsError: "No.",
      postProcessing: { enabled: true, customFunction: "return secret" },
      apiKey: "sk-1",
      showTitle: "not a flag",
    };
    const followUpPrompts = { status: true, openAi: { credentialId: "c", prompt: "secret" } };
    const overrideConfig = { generateNewSession: true, vars: { token: "secret" } };
    const parsed = readChatLook(JSON.stringify({ ...look, ...hidden, followUpPrompts, overrideConfig }));
    assert.deepEqual(parsed, {
      ...look,
      followUpPrompts: { status: true },
      overrideConfig: { generateNewSession: true },
    });
  });

  it("has no colours that are more than colours", () => {
    const colours = ["#fff", "#5b5bd6", "#5b5bd680", "navy", "rgb(1, 2, 3)", "hsl(120deg 50% 50% / 0.5)"];
    for (const colour of colours) assert.ok(isColour(colour), colour);
    const hostile = [
      "red;background:url(https://evil.example)",
      "red}body{display:none",
      "url(https://evil.example)",
      "var(--x)",
      "rgb(1,2,3);x",
      "#12345",
      "expression(alert(1))",
      "",
      "red\n",
      "a".repeat(100_000),
    ];
    for (const colour of hostile) {
      assert.ok(!isColour(colour), colour.slice(0, 40));
      const { userMessage, titleTextColor } = read({
        titleTextColor: colour,
        userMessage: { backgroundColor: colour },
      });
      assert.deepEqual(
        [titleTextColor, userMessage?.backgroundColor],
        [undefined, undefined].map((none) => (colour === "red\n" ? "red" : none)),
      );
    }
  });

  it("has no pictures and links but of the web, and small ones without scripts within", () => {
    const fit = ["https://pictures.example/cat.png?a=1", "http://intranet/cat.png", pictureOf(largestPictureBytes)];
    for (const picture of fit) assert.equal(read({ titleAvatarSrc: picture }).titleAvatarSrc, picture);
    const hostile = [
      "javascript:alert(1)",
      " https://a.example",
      "//evil.example/x",
      "https://",
      "data:image/svg+xml;base64,PHN2Zy8+",
      "data:text/html;base64,PHN2Zy8+",
      'data:image/png;base64,AA==" onerror=alert(1)',
      pictureOf(largestPictureBytes + 1_000),
      pictureOf(5_000_000),
    ];
    for (const picture of hostile) {
      assert.ok(!isPicture(picture), picture.slice(0, 60));
      const look = read({
        titleAvatarSrc: picture,
        botMessage: { avatarSrc: picture },
        footer: { companyLink: picture },
      });
      assert.deepEqual(look, { botMessage: {}, footer: {} });
    }
  });

  it("has texts, starters and numbers within limits, and markup as the text that it is", () => {
    const markup = "<img src=x onerror=alert(1)>";
    const starterPrompts = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [index, { prompt: "x".repeat(10_000), secret: 1 }]),
    );
    const look = read({ title: "n".repeat(10_000), welcomeMessage: markup, starterPrompts, fontSize: 1e300 });
    assert.equal(look.title?.length, 200);
    assert.equal(look.welcomeMessage, markup);
    assert.equal(look.fontSize, undefined);
    const prompts = Object.values(look.starterPrompts ?? {});
    assert.equal(prompts.length, mostStarters);
    assert.deepEqual(Object.keys(prompts[0] ?? {}), ["prompt"]);
    assert.equal(prompts[0]?.prompt.length, 300);
    assert.equal(toShownName("🌱".repeat(500)).length, 199);
  });

  it("inherits nothing from keys that mean something to JavaScript", () => {
    const text = `{"__proto__":{"title":"x"},"constructor":{"prototype":{}},"botMessage":{"__proto__":{"backgroundColor":"red"},"constructor":"x","toString":"x"},"starterPrompts":{"__proto__":{"prompt":"p"}}}`;
    const look = readChatLook(text);
    assert.equal(look.title, undefined);
    assert.deepEqual(Object.getOwnPropertyNames(look), ["botMessage", "starterPrompts"]);
    assert.deepEqual(Object.getOwnPropertyNames(look.botMessage), []);
    assert.equal((look.botMessage as { backgroundColor?: string }).backgroundColor, undefined);
    assert.equal(Object.getPrototypeOf(look.botMessage), Object.prototype);
    assert.equal(({} as { title?: string }).title, undefined);
  });

  it("is read from settings of any shape without an error", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        assert.deepEqual(
          Object.keys(readChatLook(text)).filter((key) => key.startsWith("allowed")),
          [],
        );
      }),
    );
  });
});

it("an appearance takes what it knows, within its limits", () => {
  const isValid = (appearance: unknown) => hasValidAppearance(JSON.stringify({ appearance }));
  const valid = [
    {},
    { description: "x".repeat(500) },
    { avatarEmoji: "👩🏽‍🚀" },
    { avatarEmoji: "🇫🇷" },
    { colorScheme: "dark" },
  ];
  for (const one of valid) assert.ok(isValid(one), JSON.stringify(one));
  const invalid = [
    null,
    "dark",
    { description: "x".repeat(501) },
    { avatarEmoji: "A" },
    { avatarEmoji: "🌱🌱" },
    { avatarEmoji: "<b>" },
    { colorScheme: "red" },
    { more: 1 },
  ];
  for (const one of invalid) assert.ok(!isValid(one), JSON.stringify(one));
  assert.ok(hasValidAppearance("{}") && hasValidAppearance("no JSON"));
});
