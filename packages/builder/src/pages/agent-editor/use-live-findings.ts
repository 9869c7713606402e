import { useQuery } from "@tanstack/react-query";
import type { Finding } from "@weft/schema";
import { useEffect, useState } from "react";
import { client } from "../../api/client.ts";
import { credentialsQuery } from "../../api/credentials.ts";
import type { CanvasSession } from "../../canvas/canvas-session.ts";
import { toDocument } from "../../canvas/model/flow-model.ts";

const restMs = 500;

/** What is wrong with the flow as it is edited: asked of the server whenever the hands rest, and shown at the nodes. */
export function useLiveFindings({ editor, findings: byNode }: CanvasSession): readonly Finding[] {
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  const { data: credentials } = useQuery(credentialsQuery);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other credentials, or other hosts of theirs, are other findings
  useEffect(() => {
    let checked: unknown;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking = new AbortController();
    const check = async () => {
      const { model } = editor.state();
      if (model === checked) return;
      checked = model;
      asking.abort();
      asking = new AbortController();
      const { signal } = asking;
      try {
        const { findings: found } = await client.readFlow({ flowData: JSON.stringify(toDocument(model)) }, { signal });
        setFindings(found);
        byNode.replace(Map.groupBy(found, ({ nodeId }) => nodeId ?? ""));
      } catch {
        // The next edit asks again; saving says what keeps the server from answering.
        if (!signal.aborted) checked = undefined;
      }
    };
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(check, restMs);
    };
    // Not at once either: first the flow is drawn.
    wait();
    const stop = editor.subscribe(wait);
    return () => {
      stop();
      clearTimeout(timer);
      asking.abort();
    };
  }, [editor, byNode, credentials]);
  return findings;
}
