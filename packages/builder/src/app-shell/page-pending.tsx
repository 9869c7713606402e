import { Container, Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { shellStrings } from "../strings/shell.ts";

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
