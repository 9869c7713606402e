import { Button, Container, Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { Compass, TriangleAlert } from "lucide-react";
import { errorSentence } from "../api/error-sentence.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { errorStrings, shellStrings } from "../strings/common.ts";

/** Error messages of Chromium, Firefox and Safari when a page's code no longer exists. */
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
        action={<Button renderRoot={(props) => <Link to="/agents" {...props} />}>{errorStrings.toAgents}</Button>}
      />
    </Container>
  );
}

/** While the code of a page is loaded. */
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
