import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { judgeColour, mistakesIn, toAppearance, withAppearance } from "./appearance.ts";

/** As Flowise's share page stores it. */
const flowise = {
  title: "Shop",
  titleAvatarSrc: "https://shop.example/cat.png",
  titleBackgroundColor: "#3B81F6",
  backgroundColor: "#ffffff",
  welcomeMessage: "Hello!",
  botMessage: { backgroundColor: "#f7f8ff", textColor: "#303235", showAvatar: true },
  userMessage: { backgroundColor: "#3B81F6", textColor: "#ffffff" },
  textInput: { backgroundColor: "#ffffff", placeholder: "Ask", sendButtonColor: "#3B81F6" },
  starterPrompts: { "0": { prompt: "Prices?" }, "1": { prompt: "" } },
  allowedOrigins: ["https://shop.example"],
  showAgentMessages: true,
};
const text = JSON.stringify(flowise);
const change = (config: string, changed: object) =>
  JSON.parse(withAppearance(config, { ...toAppearance(config), ...changed })) as Record<string, unknown>;

describe("the appearance of a chat", () => {
  it("shows what Flowise stored, and changes nothing that was not changed", () => {
    assert.deepEqual(toAppearance(text), {
      title: "Shop",
      avatar: "picture",
      emoji: "",
      picture: "https://shop.example/cat.png",
      greeting: "Hello!",
      description: "",
      starters: ["Prices?"],
      colour: "#3B81F6",
      scheme: "system",
      showsTools: true,
      hasOtherColours: true,
    });
    assert.deepEqual(change(text, {}), flowise);
    assert.deepEqual(change("{}", {}), {});
    assert.deepEqual(change("no JSON", {}), {});
  });

  it("is stored where Flowise's clients read it, and else under a key of its own", () => {
    const changed = change("{}", {
      title: " Garden ",
      avatar: "emoji",
      emoji: "🌱",
      picture: "https://left.example/behind.png",
      greeting: "Welcome",
      description: "All about plants",
      starters: ["What grows?"],
      colour: "#ffdd00",
      scheme: "dark",
      showsTools: true,
    });
    assert.deepEqual(changed, {
      title: "Garden",
      welcomeMessage: "Welcome",
      userMessage: { backgroundColor: "#ffdd00", textColor: "#000000" },
      textInput: { sendButtonColor: "#ffdd00" },
      showAgentMessages: true,
      starterPrompts: { "0": { prompt: "What grows?" } },
      appearance: { description: "All about plants", avatarEmoji: "🌱", colorScheme: "dark" },
    });
    const { hasOtherColours, ...read } = toAppearance(JSON.stringify(changed));
    assert.deepEqual([read.avatar, read.emoji, read.colour, read.scheme], ["emoji", "🌱", "#ffdd00", "dark"]);
    assert.equal(hasOtherColours, false);
  });

  it("drops what is emptied, and the colours of other clients when asked to", () => {
    const emptied = change(text, { title: "", avatar: "letter", greeting: "", starters: [], colour: "" });
    assert.deepEqual(Object.keys(emptied).sort(), [
      "allowedOrigins",
      "backgroundColor",
      "botMessage",
      "showAgentMessages",
      "textInput",
      "titleBackgroundColor",
    ]);
    const plain = change(text, { hasOtherColours: false });
    assert.deepEqual(plain.botMessage, { showAvatar: true });
    assert.deepEqual(plain.textInput, { placeholder: "Ask", sendButtonColor: "#3B81F6" });
    assert.equal(toAppearance(JSON.stringify(plain)).hasOtherColours, false);
  });

  it("says what cannot be saved", () => {
    const appearance = toAppearance("{}");
    assert.deepEqual(mistakesIn(appearance), []);
    assert.deepEqual(mistakesIn({ ...appearance, colour: "red;background:url(x)" }), ["colour"]);
    assert.deepEqual(mistakesIn({ ...appearance, avatar: "emoji", emoji: "AB" }), ["emoji"]);
    const old = { ...appearance, avatar: "picture", picture: "http://intranet/x.png", colour: "navy" } as const;
    assert.deepEqual(mistakesIn(old), ["picture", "colour"]);
    assert.deepEqual(mistakesIn(old, old), []);
    for (const picture of ["javascript:alert(1)", "http://a.example/x.png", "data:image/svg+xml;base64,AA==", ""])
      assert.deepEqual(mistakesIn({ ...appearance, avatar: "picture", picture }), ["picture"]);
    assert.deepEqual(mistakesIn({ ...appearance, avatar: "picture", picture: "https://a.example/x.png" }), []);
  });

  it("judges a colour by what is read on it and where it stands", () => {
    assert.deepEqual(judgeColour("#ffff00", "system")?.faintOn, ["light"]);
    assert.deepEqual(judgeColour("#ffff00", "dark")?.faintOn, []);
    assert.deepEqual(judgeColour("#111111", "system")?.faintOn, ["dark"]);
    const { text: letters, ratio = 0, faintOn } = judgeColour("#5b5bd6", "system") ?? {};
    assert.deepEqual([letters, ratio > 4.5, faintOn], ["white", true, []]);
    assert.equal(judgeColour("navy", "system"), undefined);
  });
});
