import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { RotateCcw } from "../icons/icons.gen.ts";
import { replayStrings } from "../strings.ts";
import { Action } from "../ui/controls/actions.tsx";
import type { ReplaySource } from "./replay-dialog.tsx";

const ReplayDialog = lazy(async () => ({ default: (await import("./replay-dialog.tsx")).ReplayDialog }));

/** Asks what is to be different, and replays a run. */
export function ReplayButton(source: ReplaySource) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Action icon={RotateCcw} label={replayStrings.open} size="xs" w="fit-content" onClick={open} />
      {isOpen && (
        <Suspense fallback={null}>
          <ReplayDialog {...source} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
