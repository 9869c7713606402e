import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { RotateCcw } from "../icons/icons.gen.ts";
import { replayStrings } from "../strings.ts";
import type { ReplaySource } from "./replay-source.ts";

const ReplayDialog = lazy(async () => ({ default: (await import("./replay-dialog.tsx")).ReplayDialog }));

/** Asks what is to be different, and replays a run. */
export function ReplayButton(source: ReplaySource) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        w="fit-content"
        leftSection={<RotateCcw size={14} aria-hidden />}
        onClick={open}
      >
        {replayStrings.open}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ReplayDialog {...source} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
