import { Text } from "@mantine/core";
import { type ComponentProps, useState } from "react";
import { commonStrings } from "../strings/common.ts";
import { DataTable } from "./data-table.tsx";
import { SearchInput } from "./search-input.tsx";

type Props<Row> = ComponentProps<typeof DataTable<Row>> & {
  searchLabel: string;
  /** What of a row is searched. */
  textOf: (row: Row) => string;
};

/** A table that shows the rows whose text has what is typed above it. */
export function SearchedTable<Row>({ searchLabel, textOf, rows, ...table }: Props<Row>) {
  const [search, setSearch] = useState("");
  const words = search.trim().toLowerCase();
  const found = rows.filter((row) => textOf(row).toLowerCase().includes(words));
  return (
    <>
      <SearchInput label={searchLabel} value={search} onChange={setSearch} />
      {found.length === 0 ? (
        <Text c="dimmed">{commonStrings.nothingFound(search)}</Text>
      ) : (
        <DataTable {...table} rows={found} />
      )}
    </>
  );
}
