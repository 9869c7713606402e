// @process browser: a document in place of globals of Node.
import "../../testing/browser.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { renderApp } from "../../testing/render-app.tsx";
import { MessageFilters } from "./message-filters.tsx";
import type { MessagesSearch } from "./messages-search.ts";

test("what is typed narrows the list, and is gone with the filters that are cleared", async (t) => {
  const searches: MessagesSearch[] = [];
  renderApp(t, <Filters first={{ where: "INTERNAL" }} onSearch={(search) => void searches.push(search)} />);
  const session = () => screen.getByLabelText<HTMLInputElement>("Session");
  // In one turn, since what is typed takes effect after a pause.
  fireEvent.change(session(), { target: { value: "first" } });
  fireEvent.click(screen.getByRole("button", { name: "Clear filters" }));
  assert.equal(session().value, "");
  fireEvent.change(session(), { target: { value: " second " } });
  await waitFor(() => assert.equal(searches.at(-1)?.session, "second"));
  assert.deepEqual(searches, [{}, { session: "second" }]);
});

test("a field says what the address says, when that is changed elsewhere", async (t) => {
  let goBack = (): void => assert.fail("not shown yet");
  const searches: MessagesSearch[] = [];
  const onSearch = (search: MessagesSearch) => void searches.push(search);
  renderApp(
    t,
    <Filters
      first={{ session: "abc" }}
      onSearch={onSearch}
      onShown={(show) => {
        goBack = () => show({ session: "ab" });
      }}
    />,
  );
  const session = () => screen.getByLabelText<HTMLInputElement>("Session");
  fireEvent.change(session(), { target: { value: "abcd" } });
  await waitFor(() => assert.deepEqual(searches, [{ session: "abcd" }]));
  assert.equal(session().value, "abcd");
  act(() => goBack());
  assert.equal(session().value, "ab");
});

type FiltersProps = {
  first: MessagesSearch;
  onSearch: (search: MessagesSearch) => void;
  onShown?: (show: (search: MessagesSearch) => void) => void;
};

function Filters({ first, onSearch, onShown }: FiltersProps) {
  const [search, setSearch] = useState(first);
  onShown?.(setSearch);
  return (
    <MessageFilters
      agentId="a"
      agentName="Helper"
      search={search}
      onSearch={(change) => {
        const changed = change(search);
        setSearch(changed);
        onSearch(changed);
      }}
    />
  );
}
