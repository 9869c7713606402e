import { Loader, Stack } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import type { SignInTrial } from "@weft/client";
import { useEffect, useState } from "react";
import { client } from "../api/client.ts";
import { setSession } from "../session/session.ts";
import { Standalone } from "../session/standalone.tsx";
import { peopleStrings, sessionStrings, singleSignOnStrings } from "../strings.ts";
import { CodeBlock } from "../ui/content/code-block.tsx";
import { TextLink } from "../ui/controls/links.tsx";
import { ErrorNotice, notifyDone } from "../ui/page/notices.tsx";
import { Fact } from "../ui/page/page.tsx";
import { type Errand, readErrand } from "./errand.tsx";

/** Where a provider leads back to. */
export function AnsweredPage() {
  const [errand] = useState(readErrand);
  const [error, setError] = useState<unknown>();
  const [trial, setTrial] = useState<SignInTrial>();
  const { history } = useRouter();
  useEffect(() => {
    let isShown = true;
    sendOnce(errand).then(
      (ending) => {
        if (!isShown) return;
        if (typeof ending === "string") history.replace(ending);
        else setTrial(ending);
      },
      (reason: unknown) => isShown && setError(reason),
    );
    return () => {
      isShown = false;
    };
  }, [errand, history]);
  if (trial !== undefined) return <Trial {...trial} />;
  if (error === undefined) {
    return (
      <Standalone title={singleSignOnStrings.finishing}>
        <Loader aria-label={singleSignOnStrings.finishing} />
      </Standalone>
    );
  }
  return (
    <Standalone title={singleSignOnStrings.failedTitle}>
      <Stack>
        <ErrorNotice error={error} />
        <WayBack purpose={errand.purpose} />
      </Stack>
    </Standalone>
  );
}

function WayBack({ purpose }: { purpose: Errand["purpose"] }) {
  if (purpose === "sign-in") return <TextLink to="/sign-in">{sessionStrings.toSignIn}</TextLink>;
  if (purpose === "connect") return <TextLink to="/settings">{singleSignOnStrings.toSettings}</TextLink>;
  return <TextLink to="/settings/sign-in">{singleSignOnStrings.toProviders}</TextLink>;
}

/** What a provider says of someone. */
function Trial({ claims, role }: SignInTrial) {
  return (
    <Standalone title={singleSignOnStrings.trialTitle} text={singleSignOnStrings.trialText}>
      <Stack>
        <Fact
          name={singleSignOnStrings.trialRole}
          value={role === null ? singleSignOnStrings.providers.noRole : peopleStrings.roles[role]}
        />
        <CodeBlock text={JSON.stringify(claims, null, 2)} label={singleSignOnStrings.trialTitle} />
        <WayBack purpose="trial" />
      </Stack>
    </Standalone>
  );
}

let sending: Promise<Ending> | undefined;

/** An answer counts once. It leaves the address first; the page is mounted again when the session begins. */
function sendOnce(errand: Errand): Promise<Ending> {
  if (sending === undefined) {
    const answer = location.search.slice(1);
    window.history.replaceState(window.history.state, "", location.pathname);
    sending = end(errand, answer);
  }
  return sending;
}

/** The path to go on to, or what a trial showed. */
type Ending = string | SignInTrial;

async function end({ purpose, from }: Errand, answer: string): Promise<Ending> {
  if (purpose === "trial") return client.finishSignInTrial({ answer });
  if (purpose === "connect") {
    const { provider } = await client.connectIdentity({ answer });
    notifyDone(singleSignOnStrings.connectedDone({ name: provider }));
    return "/settings";
  }
  const session = await client.finishSignIn({ answer });
  setSession(session, session.user.email);
  return from ?? "/";
}
