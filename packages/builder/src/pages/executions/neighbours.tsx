import { ActionIcon, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ExecutionSummary } from "@weft/client";
import { executionsQuery } from "../../api/executions.ts";
import { ChevronLeft, ChevronRight } from "../../icons/icons.gen.ts";
import { executionStrings } from "../../strings.ts";
import { defaultPageSize, type ExecutionsSearch, toExecutionQuery } from "./executions-search.ts";

type Neighbour = { id: string; page: number };

/** The ways to the runs before and after this one in the list that the address means; none where it is not in there. */
export function Neighbours({ executionId, search }: { executionId: string; search: ExecutionsSearch }) {
  const { page = 1, size = defaultPageSize } = search;
  const { data } = useQuery(executionsQuery(toExecutionQuery(search)));
  const at = data?.data.findIndex(({ id }) => id === executionId) ?? -1;
  const isFirst = at === 0 && page > 1;
  const isLast = data !== undefined && at === data.data.length - 1 && page * size < data.total;
  const before = useQuery({ ...executionsQuery(toExecutionQuery({ ...search, page: page - 1 })), enabled: isFirst });
  const after = useQuery({ ...executionsQuery(toExecutionQuery({ ...search, page: page + 1 })), enabled: isLast });
  if (data === undefined || at < 0) return null;
  const previous = isFirst
    ? toNeighbour(before.data?.data.at(-1), page - 1)
    : toNeighbour(at === 0 ? undefined : data.data[at - 1], page);
  const next = isLast ? toNeighbour(after.data?.data[0], page + 1) : toNeighbour(data.data[at + 1], page);
  return (
    <>
      <Way to={previous} search={search} icon={ChevronLeft} label={executionStrings.previous} />
      <Way to={next} search={search} icon={ChevronRight} label={executionStrings.next} />
    </>
  );
}

function toNeighbour(run: Pick<ExecutionSummary, "id"> | undefined, page: number): Neighbour | undefined {
  return run && { id: run.id, page };
}

type WayProps = {
  to: Neighbour | undefined;
  search: ExecutionsSearch;
  icon: typeof ChevronLeft;
  label: string;
};

function Way({ to, search, icon: Icon, label }: WayProps) {
  const shown = { variant: "default", size: 36, "aria-label": label } as const;
  const picture = <Icon size={18} aria-hidden />;
  if (to === undefined) {
    return (
      <ActionIcon {...shown} disabled>
        {picture}
      </ActionIcon>
    );
  }
  const toRun = (props: object) => (
    <Link
      to="/executions/$executionId"
      params={{ executionId: to.id }}
      search={{ ...search, page: to.page }}
      {...props}
    />
  );
  return (
    <Tooltip label={label}>
      <ActionIcon {...shown} renderRoot={toRun}>
        {picture}
      </ActionIcon>
    </Tooltip>
  );
}
