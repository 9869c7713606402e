import { CloseButton, Group, Menu, ScrollArea, Table, Text, TextInput, VisuallyHidden } from "@mantine/core";
import { type ComponentProps, type ReactNode, useRef, useState } from "react";
import type { LucideIcon } from "../../icons/create-icon.ts";
import { ChevronLeft, ChevronRight, Ellipsis, Pencil, Search, Trash2 } from "../../icons/icons.gen.ts";
import { commonStrings } from "../../strings.ts";
import { Moment } from "../content/time.tsx";
import { IconAction, MenuAction } from "../controls/actions.tsx";
import { ListBody } from "../page/notices.tsx";
import { EmptyState, Page } from "../page/page.tsx";
import { Hint } from "../text/hint.tsx";
import classes from "./data-table.module.css";

type Props<Row> = Omit<ComponentProps<typeof ListBody<readonly Row[]>>, "children"> & {
  strings: { title: string; summary: string; emptyTitle: string; emptyText: string };
  icon: LucideIcon;
  /** Creates the first item, and further ones. */
  action: ReactNode;
  /** Above the list, also of an empty one. */
  notice?: ReactNode;
  /** Renders the items, of which there is at least one. */
  list: (rows: readonly Row[]) => ReactNode;
  /** Dialogs open over the page. */
  children?: ReactNode;
};

/** A page of all things of one kind. While there are none it says what belongs here, and how to make one. */
export function ListPage<Row>({ strings, icon, action, notice, list, children, ...body }: Props<Row>) {
  const { title, summary, emptyTitle, emptyText } = strings;
  return (
    <Page title={title} summary={summary} actions={action}>
      {notice}
      <ListBody {...body}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={icon} title={emptyTitle} text={emptyText} action={action} />
          ) : (
            list(rows)
          )
        }
      </ListBody>
      {children}
    </Page>
  );
}

type SearchInputProps = { label: string; value: string; onChange: (value: string) => void };

export function SearchInput({ label, value, onChange }: SearchInputProps) {
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      leftSection={<Search size={16} aria-hidden />}
      rightSection={
        value !== "" && <CloseButton size="sm" aria-label={commonStrings.clearSearch} onClick={() => onChange("")} />
      }
      w={{ base: "100%", xs: 280 }}
    />
  );
}

type SearchedTableProps<Row> = ComponentProps<typeof DataTable<Row>> & {
  searchLabel: string;
  /** The searchable text of a row. */
  textOf: (row: Row) => string;
};

/** A table filtered by the text typed above it. */
export function SearchedTable<Row>({ searchLabel, textOf, rows, ...table }: SearchedTableProps<Row>) {
  const [search, setSearch] = useState("");
  const words = search.trim().toLowerCase();
  const found = rows.filter((row) => textOf(row).toLowerCase().includes(words));
  return (
    <>
      <SearchInput label={searchLabel} value={search} onChange={setSearch} />
      {found.length === 0 ? (
        <Text c="dimmed">{commonStrings.nothingFound({ text: search })}</Text>
      ) : (
        <DataTable {...table} rows={found} />
      )}
    </>
  );
}

/** When a row was changed last. */
export function updatedColumn<Row extends { updatedDate: string }>(): Column<Row> {
  return {
    key: "updated",
    header: commonStrings.updated,
    isNarrow: true,
    cell: ({ updatedDate }) => <Moment at={updatedDate} />,
  };
}

const actionsKey = "actions";

/** The menu of what can be done with a row. */
export function actionsColumn<Row>(cell: (row: Row) => ReactNode): Column<Row> {
  return { key: actionsKey, header: <VisuallyHidden>{commonStrings.actions}</VisuallyHidden>, isNarrow: true, cell };
}

export type Column<Row> = {
  /** Heading; for a column without a visible one a text for screen readers, in `VisuallyHidden`. */
  header: ReactNode;
  key: string;
  cell: (row: Row) => ReactNode;
  /** Takes no more room than it needs. */
  isNarrow?: boolean;
  /** Stands at the end of its column, as its heading does. */
  isNumber?: boolean;
};

type DataTableProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
};

/** Rows on a surface of their own: on phones as cards. Scrolls sideways where it has too little room elsewhere. */
export function DataTable<Row>({ label, columns, rows, idOf }: DataTableProps<Row>) {
  return (
    <div className={classes.surface}>
      <ScrollArea
        viewportProps={{ tabIndex: 0, role: "region", "aria-label": label }}
        type="auto"
        offsetScrollbars="present"
      >
        <Table verticalSpacing="sm" highlightOnHover className={classes.table} aria-label={label} data-stacks>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ key, header, isNarrow, isNumber }) => (
                <Table.Th
                  key={key}
                  className={classes.head}
                  data-narrow={isNarrow || undefined}
                  data-number={isNumber || undefined}
                >
                  {header}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={idOf(row)}>
                {columns.map(({ key, header, cell, isNarrow, isNumber }) => (
                  <Table.Td
                    key={key}
                    data-narrow={isNarrow || undefined}
                    data-number={isNumber || undefined}
                    data-actions={key === actionsKey || undefined}
                    data-label={typeof header === "string" ? header : undefined}
                  >
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

type PageTurnerProps = {
  strings: { pages: string; range: (values: { from: number; to: number; total: number }) => string };
  page: number;
  perPage: number;
  total: number;
  onPage: (page: number) => void;
  /** Whether it is there for a single page, too. */
  isConstant?: boolean;
};

/** Turns the pages of a long list, from page 1. */
export function PageTurner({ strings, page, perPage, total, onPage, isConstant = false }: PageTurnerProps) {
  if (total <= perPage && !isConstant) return null;
  const to = Math.min(page * perPage, total);
  const from = Math.min((page - 1) * perPage + 1, to);
  return (
    <Group component="nav" justify="flex-end" gap="xs" aria-label={strings.pages}>
      <Hint mr="xs" aria-live="polite">
        {strings.range({ from, to, total })}
      </Hint>
      <IconAction
        variant="default"
        icon={ChevronLeft}
        label={commonStrings.previousPage}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <IconAction
        variant="default"
        icon={ChevronRight}
        label={commonStrings.nextPage}
        disabled={to >= total}
        onClick={() => onPage(page + 1)}
      />
    </Group>
  );
}

/** The three dots at the end of a row or card. `children` are `Menu.Item`s. */
export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  const button = useRef<HTMLButtonElement>(null);
  // What an item opens gives the focus back, when it closes, to what had it: the item is gone then, the button is there.
  const focusButton = () => button.current?.focus();
  return (
    <Menu position="bottom-end" width={180} withinPortal>
      <Menu.Target>
        <IconAction icon={Ellipsis} label={commonStrings.actionsOf({ name })} ref={button} size={28} iconSize={18} />
      </Menu.Target>
      <Menu.Dropdown onClickCapture={focusButton}>{children}</Menu.Dropdown>
    </Menu>
  );
}

type RowMenuProps = { name: string; onEdit: () => void; onDelete: () => void };

export function EditDeleteMenu({ name, onEdit, onDelete }: RowMenuProps) {
  return (
    <RowMenu name={name}>
      <MenuAction icon={Pencil} label={commonStrings.edit} onClick={onEdit} />
      <MenuAction icon={Trash2} label={commonStrings.delete} isDanger onClick={onDelete} />
    </RowMenu>
  );
}
