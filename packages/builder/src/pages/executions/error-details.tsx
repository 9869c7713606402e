import { Alert, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ExecutionStep } from "@weft/client";
import { CircleAlert } from "../../icons/icons.gen.ts";
import { executionStrings } from "../../strings.ts";
import { Hint } from "../../ui/text/hint.tsx";
import classes from "./execution-facts.module.css";

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
      <Hint size="xs" mt={4}>
        {error.code}
        {error.upstream !== undefined && ` · ${error.upstream.status}`}
      </Hint>
    </Alert>
  );
}

type RunError = NonNullable<ExecutionStep["error"]>;

/** Advice on a failure in addition to its message. `to`: the page on which to act. */
type Advice = { text: string; link?: { label: string; to: "/models" | "/credentials" } };

const { advice, links } = executionStrings;

export function errorAdvice({ code, retryable, upstream }: RunError): Advice {
  if (code === "model-not-configured") return { text: advice.configure, link: { label: links.models, to: "/models" } };
  if (code === "model-unauthorized" || code === "credential-unreadable") {
    return { text: advice.credential, link: { label: links.credentials, to: "/credentials" } };
  }
  if (code === "egress-refused") return { text: advice.egress };
  if (upstream?.retryAfterSeconds !== undefined)
    return { text: advice.retryAfter({ seconds: upstream.retryAfterSeconds }) };
  return { text: retryable ? advice.retryable : advice.permanent };
}
