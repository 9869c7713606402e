import { VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { commonStrings } from "../strings/common.ts";
import type { Column } from "./data-table.tsx";
import { Moment } from "./moment.tsx";

/** When a row was changed last. */
export function updatedColumn<Row extends { updatedDate: string }>(): Column<Row> {
  return {
    key: "updated",
    header: commonStrings.updated,
    isNarrow: true,
    cell: ({ updatedDate }) => <Moment at={updatedDate} />,
  };
}

/** The menu of what can be done with a row. */
export function actionsColumn<Row>(cell: (row: Row) => ReactNode): Column<Row> {
  return { key: "actions", header: <VisuallyHidden>{commonStrings.actions}</VisuallyHidden>, isNarrow: true, cell };
}
