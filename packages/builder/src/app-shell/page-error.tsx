import { Button, Container } from "@mantine/core";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { errorSentence } from "../api/error-sentence.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { errorStrings } from "../strings/errors.ts";

/** How Chromium, Firefox and Safari say that the code of a page is not there any more. */
const missingModule = /dynamically imported module|Importing a module script failed/;

/** In place of a page that threw, or whose code is gone since the server was updated. */
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
