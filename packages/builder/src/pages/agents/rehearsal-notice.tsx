import { Alert, Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Info } from "lucide-react";
import { defaultModelQuery } from "../../api/models.ts";
import { agentsStrings } from "../../strings/agents.ts";

/** Says that no real model answers, where that is so, and where to connect one. */
export function RehearsalNotice() {
  const { data } = useQuery(defaultModelQuery);
  if (data?.provider !== "rehearsal") return null;
  return (
    <Alert color="iris" variant="light" icon={<Info size={18} aria-hidden />} py="xs">
      {agentsStrings.rehearsal}{" "}
      <Anchor size="sm" fw={500} renderRoot={(props) => <Link to="/models" {...props} />}>
        {agentsStrings.connectModel}
      </Anchor>
    </Alert>
  );
}
