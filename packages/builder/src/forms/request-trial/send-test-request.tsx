import { Button } from "@mantine/core";
import type { JsonObject } from "@weft/schema";
import { Send } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { formStrings } from "../../strings/forms.ts";

const RequestTrialDialog = lazy(async () => ({
  default: (await import("./request-trial-dialog.tsx")).RequestTrialDialog,
}));

const senders = new Set(["request-get", "request-post", "request-put", "request-delete", "openapi-toolkit", "http"]);

type Props = { type: string; config: JsonObject; isDisabled?: boolean };

/** Sends what a request integration, a toolkit or an HTTP step would send, where `type` is one of them. */
export function SendTestRequest({ type, config, isDisabled = false }: Props) {
  const [isOpen, setOpen] = useState(false);
  if (!senders.has(type)) return null;
  return (
    <>
      <Button
        variant="default"
        size="xs"
        w="fit-content"
        leftSection={<Send size={14} aria-hidden />}
        onClick={() => setOpen(true)}
        disabled={isDisabled}
      >
        {formStrings.trial.open}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <RequestTrialDialog type={type} config={config} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
