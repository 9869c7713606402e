import { Loader, Stack } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { client } from "../api/client.ts";
import { setSession } from "../session/session.ts";
import { Standalone } from "../session/standalone.tsx";
import { sessionStrings, singleSignOnStrings } from "../strings.ts";
import { TextLink } from "../ui/controls/links.tsx";
import { ErrorNotice, notifyDone } from "../ui/page/notices.tsx";
import { type Errand, readErrand } from "./errand.tsx";

/** Where a provider leads back to. */
export function AnsweredPage() {
  const [errand] = useState(readErrand);
  const [error, setError] = useState<unknown>();
  const { history } = useRouter();
  useEffect(() => {
    let isShown = true;
    sendOnce(errand).then(
      (next) => isShown && history.replace(next),
      (reason: unknown) => isShown && setError(reason),
    );
    return () => {
      isShown = false;
    };
  }, [errand, history]);
  if (error === undefined) {
    return (
      <Standalone title={singleSignOnStrings.finishing}>
        <Loader aria-label={singleSignOnStrings.finishing} />
      </Standalone>
    );
  }
  const isSignIn = errand.purpose === "sign-in";
  return (
    <Standalone title={singleSignOnStrings.failedTitle}>
      <Stack>
        <ErrorNotice error={error} />
        {isSignIn ? (
          <TextLink to="/sign-in">{sessionStrings.toSignIn}</TextLink>
        ) : (
          <TextLink to="/settings">{singleSignOnStrings.toSettings}</TextLink>
        )}
      </Stack>
    </Standalone>
  );
}

let sending: Promise<string> | undefined;

/** An answer counts once. It leaves the address first; the page is mounted again when the session begins. */
function sendOnce(errand: Errand): Promise<string> {
  if (sending === undefined) {
    const answer = location.search.slice(1);
    window.history.replaceState(window.history.state, "", location.pathname);
    sending = end(errand, answer);
  }
  return sending;
}

/** Resolves with the path to go on to. */
async function end({ purpose, from }: Errand, answer: string): Promise<string> {
  if (purpose === "connect") {
    const { provider } = await client.connectIdentity({ answer });
    notifyDone(singleSignOnStrings.connectedDone({ name: provider }));
    return "/settings";
  }
  const session = await client.finishSignIn({ answer });
  setSession(session, session.user.email);
  return from ?? "/";
}
