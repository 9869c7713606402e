import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChatConfig } from "@weft/schema";
import { titleOf, toButtonSize, toLook, toScheme, toVariables } from "./options.ts";

const config = {
  title: "Shop",
  welcomeMessage: "Hello",
  backgroundColor: "#ffffff",
  botMessage: { backgroundColor: "#eeeeee", textColor: "#111111" },
  starterPrompts: { "0": { prompt: "Prices" }, "1": { prompt: "" }, "2": { prompt: "Hours" } },
  button: { size: "large" },
  chatWindow: { welcomeMessage: "Welcome" },
} as unknown as ChatConfig;

describe("how a chat looks", () => {
  it("is as the agent's settings say, and the page in their place", () => {
    const look = toLook(
      { chatWindow: { title: "Help", botMessage: { textColor: "#222222" } }, button: { right: 4 } },
      config,
    );
    assert.equal(titleOf(look), "Help");
    assert.equal(look.window.welcomeMessage, "Welcome");
    assert.deepEqual(look.window.botMessage, { backgroundColor: "#eeeeee", textColor: "#222222" });
    assert.deepEqual(look.window.starterPrompts, ["Prices", "Hours"]);
    assert.deepEqual(look.button, { size: "large", right: 4 });
    assert.deepEqual(toLook({ chatWindow: { starterPrompts: [] } }, config).window.starterPrompts, []);
  });

  it("is complete without settings", () => {
    const look = toLook();
    assert.equal(titleOf(look), "Chat");
    assert.equal(toScheme(look), undefined);
    assert.equal(toVariables(look)["bubble-size"], "48px");
    assert.equal(toVariables(look).window, "");
  });

  it("has text that is read on a ground of the theme's", () => {
    const variables = toVariables(
      toLook({ chatWindow: { userMessage: { backgroundColor: "#3B81F6" } }, button: { backgroundColor: "navy" } }),
    );
    assert.equal(variables["question-text"], "#000000");
    const pale = toVariables(
      toLook({ chatWindow: { userMessage: { backgroundColor: "#ffff00", textColor: "#fff" } } }),
    );
    assert.equal(pale["question-text"], "#000000");
    assert.equal(variables.bubble, "navy");
    assert.equal(variables["bubble-text"], "");
    assert.equal(toScheme(toLook({ chatWindow: { backgroundColor: "#101010" } })), "dark");
    assert.equal(toScheme(toLook({}, config)), "light");
  });

  it("has the name, the words and the scheme that its owner chose", () => {
    const chosen = { description: "From our handbook.", avatarEmoji: "🌱", colorScheme: "dark" } as const;
    const look = toLook({}, { name: "Helper", appearance: chosen } as unknown as ChatConfig);
    assert.equal(titleOf(look), "Helper");
    assert.deepEqual([look.window.description, look.window.avatarEmoji], ["From our handbook.", "🌱"]);
    assert.equal(toScheme(look), "dark");
    assert.equal(toScheme(toLook({ chatWindow: { backgroundColor: "#ffffff" } }, config)), "light");
  });

  it("bounds the button", () => {
    assert.deepEqual(
      [toButtonSize({}), toButtonSize({ size: "small" }), toButtonSize({ size: 9_999 }), toButtonSize({ size: 1 })],
      [48, 32, 200, 24],
    );
    assert.equal(toButtonSize({ size: "huge" as "large" }), 48);
  });
});
