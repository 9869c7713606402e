// @process browser: a document in place of globals of Node.
import "../../testing/browser.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { screen } from "@testing-library/react";
import german from "../../../messages/de.json" with { type: "json" };
import japanese from "../../../messages/ja.json" with { type: "json" };
import { renderApp } from "../../testing/render-app.tsx";
import { Sentence } from "./sentence.tsx";

for (const [code, { session }, start, end] of [
  ["de", german, /^Passwort vergessen\?/, /mit npm start setzen\.$/],
  ["ja", japanese, /^パスワードを忘れた場合は/, /npm startで再設定できます。$/],
] as const) {
  test(`${code}: the element stands inside of the sentence`, (t) => {
    renderApp(
      t,
      <p data-testid="said">
        <Sentence text={(command) => session.forgotten.replace("{command}", command)}>
          <code>npm start</code>
        </Sentence>
      </p>,
    );
    const said = screen.getByTestId("said");
    assert.match(said.textContent ?? "", start);
    assert.match(said.textContent ?? "", end);
    assert.equal(said.querySelector("code")?.textContent, "npm start");
  });
}
