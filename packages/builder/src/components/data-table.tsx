import { ScrollArea, Table } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./data-table.module.css";

export type Column<Row> = {
  /** Heading; for a column without a visible one a text for screen readers, in `VisuallyHidden`. */
  header: ReactNode;
  key: string;
  cell: (row: Row) => ReactNode;
  /** Takes no more room than it needs. */
  isNarrow?: boolean;
};

type Props<Row> = { label: string; columns: readonly Column<Row>[]; rows: readonly Row[]; idOf: (row: Row) => string };

/** Rows on a surface of their own. Scrolls sideways where the screen is too small. */
export function DataTable<Row>({ label, columns, rows, idOf }: Props<Row>) {
  return (
    <div className={classes.surface}>
      <ScrollArea viewportProps={{ tabIndex: 0, role: "region", "aria-label": label }} type="auto">
        <Table
          verticalSpacing="sm"
          horizontalSpacing="md"
          highlightOnHover
          className={classes.table}
          aria-label={label}
        >
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ key, header, isNarrow }) => (
                <Table.Th key={key} className={classes.head} data-narrow={isNarrow || undefined}>
                  {header}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={idOf(row)}>
                {columns.map(({ key, cell, isNarrow }) => (
                  <Table.Td key={key} data-narrow={isNarrow || undefined}>
                    {cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
    </div>
  );
}
