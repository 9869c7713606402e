import assert from "node:assert/strict";
import { it } from "node:test";
import { shareTargetsOf } from "./share-dialog.tsx";

it("gives addresses of this server, and no key, for an agent", () => {
  const { page, embed, curl, openai, mcp } = shareTargetsOf("https://weft.example", "abc");
  assert.equal(page, "https://weft.example/chat/abc");
  assert.match(embed, /import Chatbot from "https:\/\/weft\.example\/widget\.js";/);
  assert.match(embed, /chatflowid: "abc", apiHost: "https:\/\/weft\.example"/);
  assert.match(curl, /https:\/\/weft\.example\/api\/v1\/prediction\/abc[\s\S]*Bearer YOUR_API_KEY/);
  assert.equal(openai, "https://weft.example/v1");
  assert.equal(mcp, "https://weft.example/api/v1/mcp/abc");
});
