import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { assistantsStrings as strings } from "../../strings/assistants.ts";

export function BackToAssistants() {
  return (
    <Anchor size="sm" c="dimmed" renderRoot={(props) => <Link {...props} to="/assistants" />}>
      <ArrowLeft size={14} aria-hidden style={{ verticalAlign: "-2px" }} /> {strings.back}
    </Anchor>
  );
}
