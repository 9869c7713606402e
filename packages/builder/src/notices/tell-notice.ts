import type { Notice } from "@weft/client";
import { formatNumber } from "../languages/index.ts";
import { noticesStrings } from "../strings.ts";

/** What happened, in the reader's language. */
export function tellNotice({ kind, count, of, detail }: Pick<Notice, "kind" | "count" | "of" | "detail">): string {
  const { told, amounts } = noticesStrings;
  const isOfVisitors = detail.startsWith("visitors/");
  const amount = amountIn(detail.split("/")[1]);
  switch (kind) {
    case "failed-runs":
      return told.failedRuns({ count: formatNumber(count), of: formatNumber(of ?? count) });
    case "budget-near": {
      const values = { percent: formatNumber(count), amount: amounts[amount] };
      return isOfVisitors ? told.visitorsNear(values) : told.budgetNear(values);
    }
    case "budget-spent": {
      const values = { amount: amounts[amount] };
      return isOfVisitors ? told.visitorsSpent(values) : told.budgetSpent(values);
    }
    case "callbacks-failing":
      return told.callbacksFailing({ count });
    case "person-awaited":
      return told.personAwaited({ count });
    case "hand-over":
      return told.handOver({ count });
    case "store-failing":
      return told.storeFailing({ count });
    case "schedule-failing":
      return told.scheduleFailing({ count });
    case "channel-failing":
      return told.channelFailing;
  }
}

function amountIn(text = ""): keyof typeof noticesStrings.amounts {
  return text === "tokens" || text === "dollars" || text === "bytes" ? text : "runs";
}
