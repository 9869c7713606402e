import { useMediaQuery } from "@mantine/hooks";
import { Outlet, useMatches, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { getToken } from "../api/session.ts";
import { renewSession } from "../session/renew-session.ts";
import { shellStrings } from "../strings/shell.ts";
import { Navigation } from "./navigation.tsx";
import classes from "./root-layout.module.css";
import { useCodeAhead } from "./use-code-ahead.ts";

const renewalCheckMs = 60_000;
const standalonePaths = ["/sign-in", "/setup", "/welcome"];

/** Every page: beside the navigation once someone is signed in. */
export function RootLayout() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const fillsScreen = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.fillsScreen) });
  const isSmall = useMediaQuery("(max-width: 1000px)", undefined, { getInitialValueInEffect: false });
  const isNarrow = fillsScreen || isSmall;
  const standsAlone = standalonePaths.includes(pathname) || getToken() === undefined;
  useRenewal();
  useCodeAhead(!standsAlone);
  if (standsAlone) return <Outlet />;
  return (
    <div className={classes.layout} data-narrow={isNarrow || undefined} data-fills-screen={fillsScreen || undefined}>
      <a href="#content" className={classes.skip}>
        {shellStrings.skipToContent}
      </a>
      <Navigation isNarrow={isNarrow} />
      <main id="content" tabIndex={-1} className={classes.content}>
        <Outlet />
      </main>
    </div>
  );
}

/** Exchanges the token for a new one in time, while the page is open and when it comes back to the front. */
function useRenewal(): void {
  useEffect(() => {
    const renew = () => void renewSession();
    renew();
    const timer = setInterval(renew, renewalCheckMs);
    document.addEventListener("visibilitychange", renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", renew);
    };
  }, []);
}
