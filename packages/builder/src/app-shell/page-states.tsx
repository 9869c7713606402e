import { Button, Container, Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { errorSentence } from "../api/client.ts";
import { Compass, TriangleAlert } from "../icons/icons.gen.ts";
import { errorStrings, shellStrings } from "../strings.ts";
import { ActionLink } from "../ui/controls/links.tsx";
import { EmptyState } from "../ui/page/page.tsx";

/** Error messages of Chromium, Firefox and Safari for a page whose code no longer exists. */
const missingModule = /dynamically imported module|Importing a module script failed/;

/** Replaces a page that threw, or whose code was removed by a server update. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const isOutdated = error instanceof Error && missingModule.test(error.message);
  return (
    <Container size="sm" py={64}>
      <EmptyState
        icon={TriangleAlert}
        title={errorStrings.pageTitle}
        text={isOutdated ? errorStrings.newVersion : errorSentence(error)}
        action={
          <Button onClick={() => (isOutdated ? location.reload() : reset())}>
            {isOutdated ? errorStrings.reload : errorStrings.retry}
          </Button>
        }
      />
    </Container>
  );
}

export function NotFound() {
  return (
    <Container size="sm" py={64}>
      <EmptyState
        icon={Compass}
        title={errorStrings.notFoundTitle}
        text={errorStrings.notFoundText}
        action={<ActionLink to="/agents" variant="filled" label={errorStrings.toAgents} />}
      />
    </Container>
  );
}

/** Shown while the code of a page loads. */
export function PagePending() {
  return (
    <Container size="lg" py={40} aria-busy>
      <VisuallyHidden role="status">{shellStrings.loading}</VisuallyHidden>
      <Stack gap="lg">
        <Skeleton height={28} width={180} />
        <Skeleton height={120} />
        <Skeleton height={120} />
      </Stack>
    </Container>
  );
}
