import type { QueryKey, UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useMay } from "../../api/settings.ts";
import type { LucideIcon } from "../../icons/create-icon.ts";
import { Plus } from "../../icons/icons.gen.ts";
import { Action } from "../controls/actions.tsx";
import { ActionLink } from "../controls/links.tsx";
import { ConfirmDialog } from "../page/dialogs.tsx";
import { actionsColumn, type Column, DataTable, EditDeleteMenu, ListPage, SearchedTable } from "./list-page.tsx";

type RowActions = { onEdit(): void; onDelete(): void };

type Props<Row> = {
  strings: {
    title: string;
    summary: string;
    emptyTitle: string;
    emptyText: string;
    create: string;
    search?: string;
    deleteTitle: string;
    deleteText: (values: { name: string; users: number }) => string;
    deleted: (values: { name: string }) => string;
    /** Default *Delete*. */
    delete?: string;
  };
  icon: LucideIcon;
  query: UseQueryResult<readonly Row[]>;
  columns: readonly Column<Row>[];
  nameOf(row: Row): string;
  /** The searchable text of a row. Default: the table has no search field. */
  searchIn?: (row: Row) => string;
  /** The permission without which nothing can be created or changed here. */
  writes: string;
  /** The dialog that creates one, or the path of a page that does. */
  create: string | ((onClose: () => void) => ReactNode);
  /** The dialog that changes one. */
  edit?: (row: Row, onClose: () => void) => ReactNode;
  remove(row: Row): Promise<unknown>;
  /** What to load again once one is gone. */
  stale: readonly QueryKey[];
  /** How many others need one, for a text that says so. */
  usersOf?: (row: Row) => number;
  /** What a person should know before deleting one. */
  details?: (row: Row) => ReactNode;
  /** In place of a menu with *Edit* and *Delete*. */
  menu?: (row: Row, actions: RowActions) => ReactNode;
  /** Further dialogs. */
  children?: ReactNode;
};

type Open<Row> = { kind: "create" } | { kind: "edit" | "delete"; row: Row };

/** A table of all things of one kind, with what creates, changes and deletes one. */
export function ResourcePage<Row extends { id: string }>({ strings, icon, query, nameOf, ...of }: Props<Row>) {
  const [open, setOpen] = useState<Open<Row>>();
  const close = () => setOpen(undefined);
  const { create, edit, searchIn, menu, children } = of;
  const mayWrite = useMay()(of.writes);
  const action = !mayWrite ? null : typeof create === "string" ? (
    <ActionLink to={create} icon={Plus} variant="filled" label={strings.create} />
  ) : (
    <Action icon={Plus} label={strings.create} onClick={() => setOpen({ kind: "create" })} variant="filled" />
  );
  const actions = actionsColumn((row: Row) => {
    const onEdit = () => setOpen({ kind: "edit", row });
    const onDelete = () => setOpen({ kind: "delete", row });
    return (
      menu?.(row, { onEdit, onDelete }) ?? <EditDeleteMenu name={nameOf(row)} onEdit={onEdit} onDelete={onDelete} />
    );
  });
  const table = {
    label: strings.title,
    columns: mayWrite ? [...of.columns, actions] : of.columns,
    idOf: ({ id }: Row) => id,
  };
  return (
    <ListPage
      strings={strings}
      icon={icon}
      query={query}
      action={action}
      list={(rows) =>
        searchIn === undefined ? (
          <DataTable {...table} rows={rows} />
        ) : (
          <SearchedTable {...table} rows={rows} searchLabel={strings.search ?? ""} textOf={searchIn} />
        )
      }
    >
      {open?.kind === "create" && typeof create !== "string" && create(close)}
      {open?.kind === "edit" && edit?.(open.row, close)}
      {open?.kind === "delete" && (
        <ConfirmDialog
          title={strings.deleteTitle}
          details={of.details?.(open.row)}
          confirmLabel={strings.delete}
          onConfirm={() => of.remove(open.row)}
          stale={of.stale}
          done={strings.deleted({ name: nameOf(open.row) })}
          onClose={close}
        >
          {strings.deleteText({ name: nameOf(open.row), users: of.usersOf?.(open.row) ?? 0 })}
        </ConfirmDialog>
      )}
      {children}
    </ListPage>
  );
}
