import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { EmptyState } from "./empty-state.tsx";
import { ListBody } from "./list-body.tsx";
import { Page } from "./page.tsx";

type Props<Row> = Omit<ComponentProps<typeof ListBody<readonly Row[]>>, "children"> & {
  strings: { title: string; summary: string; emptyTitle: string; emptyText: string };
  icon: LucideIcon;
  /** What makes the first one, and more. */
  action: ReactNode;
  /** Above the list, also of an empty one. */
  notice?: ReactNode;
  /** Shows them; there is one at least. */
  list: (rows: readonly Row[]) => ReactNode;
  /** What is open over the page. */
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
