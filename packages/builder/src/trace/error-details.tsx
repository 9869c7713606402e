import { Alert, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import { errorAdvice, type RunError } from "./error-advice.ts";
import classes from "./row-details.module.css";

/** A failure with what to do about it. */
export function ErrorDetails({ error }: { error: RunError | null }) {
  if (error === null) return null;
  const { text, link } = errorAdvice(error);
  return (
    <Alert color="red" variant="light" icon={<CircleAlert size={18} aria-hidden />}>
      <Text size="sm" fw={500} className={classes.wrap}>
        {error.message}
      </Text>
      <Text size="sm" mt={4}>
        {text}
      </Text>
      {link !== undefined && (
        <Link to={link.to} className={classes.link}>
          {link.label}
        </Link>
      )}
      <Text size="xs" c="dimmed" mt={4}>
        {error.code}
        {error.upstream !== undefined && ` · ${error.upstream.status}`}
      </Text>
    </Alert>
  );
}
