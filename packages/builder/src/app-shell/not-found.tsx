import { Button, Container } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { EmptyState } from "../components/empty-state.tsx";
import { errorStrings } from "../strings/errors.ts";

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
