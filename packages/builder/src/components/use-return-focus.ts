import { useEffect } from "react";

/** Gives the focus back, when the component goes, to what had it when the component came: the button of a dialog. */
export function useReturnFocus(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
}
