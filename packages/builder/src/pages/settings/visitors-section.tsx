import { Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { publicAccessQuery } from "../../api/settings.ts";
import { visitorsStrings as strings } from "../../strings.ts";
import { ListBody } from "../../ui/page/notices.tsx";
import { Section } from "../../ui/page/page.tsx";
import { useVisitorChoice } from "../../visitors/visitors-blocked.tsx";

/** Whether visitors may use public agents of this server. */
export function VisitorsSection() {
  const access = useQuery(publicAccessQuery);
  const choice = useVisitorChoice();
  return (
    <Section title={strings.title} text={strings.text}>
      <ListBody query={access} rowHeight={32}>
        {({ isAllowed, isFixed }) => (
          <Switch
            label={strings.label}
            description={isFixed && strings.fixed({ value: String(isAllowed) })}
            checked={isAllowed}
            disabled={isFixed || choice.isPending}
            onChange={(event) => choice.mutate(event.currentTarget.checked)}
          />
        )}
      </ListBody>
    </Section>
  );
}
