// @process browser: a document in place of globals of Node.
import "../../testing/browser.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Tooltip } from "@mantine/core";
import { screen } from "@testing-library/react";
import { renderApp } from "../../testing/render-app.tsx";
import { Action } from "./actions.tsx";

test("an action that is explained runs its request, and takes no other click until it is answered", async (t) => {
  let sent = 0;
  const mutate = () => {
    sent += 1;
  };
  const user = renderApp(
    t,
    <>
      <Tooltip label="Loads everything again">
        <Action label="Index" runs={{ mutate, isPending: false }} />
      </Tooltip>
      <Action label="Indexing" runs={{ mutate, isPending: true }} />
    </>,
  );
  await user.click(screen.getByRole("button", { name: "Index" }));
  assert.equal(sent, 1);
  assert.ok(screen.getByRole<HTMLButtonElement>("button", { name: "Indexing" }).disabled);
});
