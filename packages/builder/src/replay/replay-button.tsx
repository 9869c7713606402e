import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { RotateCcw } from "lucide-react";
import { lazy, Suspense } from "react";
import { replayStrings } from "./strings.ts";

const ReplayDialog = lazy(async () => ({ default: (await import("./replay-dialog.tsx")).ReplayDialog }));

/** Which run is replayed, and from where. */
export type ReplaySource = {
  executionId: string;
  /** One execution of a step, or a step as it stands in the draft. */
  from: { nodeKey: string } | { nodeId: string };
  label: string;
  /** Saves what is edited, so that it can be replayed. Absent: nothing is open. */
  beforeStart?(): Promise<boolean>;
};

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
