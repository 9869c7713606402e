import { Alert, Button, Group, Skeleton, Stack, Text, VisuallyHidden } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import { errorSentence, isApiError } from "../../api/client.ts";
import { CircleAlert } from "../../icons/icons.gen.ts";
import { commonStrings, errorStrings } from "../../strings.ts";
import { Action } from "../controls/actions.tsx";
import { Hint } from "../text/hint.tsx";

type Props = { error: unknown; title?: string; onRetry?: () => void };

/** An error and how to resolve it, announced immediately. Renders nothing if `error` is null or undefined. */
export function ErrorNotice({ error, title = errorStrings.title, onRetry }: Props) {
  if (error === null || error === undefined) return null;
  const requestId = isApiError(error) && error.status >= 500 ? error.requestId : "";
  const isWrong = isOfNoId(error);
  const isLost = isWrong || (isApiError(error) && error.status === 404);
  return (
    <Alert color="red" variant="light" icon={<CircleAlert size={18} aria-hidden />} title={title} role="alert">
      <Text size="sm">{isWrong ? errorStrings.nothingHere : errorSentence(error)}</Text>
      {requestId !== "" && (
        <Hint size="xs" mt={4}>
          {errorStrings.requestId({ id: requestId })}
        </Hint>
      )}
      {onRetry !== undefined && (
        <Group mt="sm">
          {isLost ? (
            <Button component="a" href={listPath()} size="xs" variant="default">
              {errorStrings.toList}
            </Button>
          ) : (
            <Action label={errorStrings.retry} size="xs" onClick={onRetry} />
          )}
        </Group>
      )}
    </Alert>
  );
}

/** Whether the address names what can never be there: the API takes its id for none. */
function isOfNoId(error: unknown): boolean {
  if (!isApiError(error) || error.status !== 400 || error.errors.length === 0) return false;
  return error.errors.every(({ path }) => /(^|\.)id$/i.test(path));
}

/** The page that lists what the open one shows. */
const listPath = () => `/${window.location.pathname.split("/")[1] ?? ""}`;

const closeButtonProps = { "aria-label": commonStrings.close };

/** Says in the corner of the screen that something was done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: "teal", autoClose: 4_000, closeButtonProps });
}

/** Shows an error in the corner of the screen, for actions without another place to report it. */
export function notifyFailed(error: unknown): void {
  notifications.show({ message: errorSentence(error), color: "red", autoClose: 10_000, closeButtonProps });
}

/** As much of a query as is needed to show it. */
type Query<T> = { data: T | undefined; error: unknown; refetch(): Promise<unknown> };

type LoadedProps<T> = {
  query: Query<T>;
  /** What stands there until then: a block of so many pixels, or something else. */
  until: number | ReactNode;
  children: (data: T) => ReactNode;
};

/** The result of a query once it is there; if it fails, why, with a way to try again. */
export function Loaded<T>({ query: { data, error, refetch }, until, children }: LoadedProps<T>) {
  if (data !== undefined) return children(data);
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  return typeof until === "number" ? <Skeleton height={until} /> : until;
}

type ListBodyProps<T> = {
  query: Query<T>;
  /** Height of the skeleton's rows in pixels. Default 52. */
  rowHeight?: number;
  children: (data: T) => ReactNode;
};

const skeletonRows = ["1", "2", "3", "4"];

/** A list from a query: rows of a skeleton while it loads. */
export function ListBody<T>({ query, rowHeight = 52, children }: ListBodyProps<T>) {
  const skeleton = (
    <Stack gap="xs" aria-busy>
      <VisuallyHidden role="status">{commonStrings.loading}</VisuallyHidden>
      {skeletonRows.map((row) => (
        <Skeleton key={row} height={rowHeight} />
      ))}
    </Stack>
  );
  return (
    <Loaded query={query} until={skeleton}>
      {children}
    </Loaded>
  );
}
