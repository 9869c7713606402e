import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";

export const inbox: Areas["inbox"] = {
  title: "受信トレイ",
  summary: "人の対応を待っている実行です。回答すると再開します。",
  list: "質問",
  emptyTitle: "回答待ちはありません",
  emptyText: "エージェントが承認や入力を求めると、質問がここに表示され、その場で回答できます。",
  exampleAgent: "返金",
  exampleQuestion: "注文17に$40を返金しますか？",
  exampleYes: "承認",
  exampleNo: "却下",
  stale: "一覧が最新でない可能性があります",
  agentGone: "削除されたエージェント",
  startedBy: {
    account: "アカウントのチャット",
    "api-key": "APIキーのチャット",
    schedule: "スケジュールで開始",
    visitor: "訪問者のチャット",
  },
  session: (id) => `セッション ${id}`,
  asked: (moment) => `質問日時: ${moment}`,
  began: "最初のメッセージ",
  viewRun: "実行を表示",
  viewRunOf: (agent) => `${agent}の実行を表示`,
  failed: "回答を送信できませんでした",
  outcomes: {
    answered: (label) => `回答しました: ${label}。実行を再開します。`,
    late: "ほかのユーザーが先に回答したか、実行が終了しています。この回答は使用されませんでした。",
    gone: "ほかのユーザーがこの質問に回答したか、実行が終了しています。",
  },
  range: (from, to, total) => `${formatNumber(total)}件中${formatNumber(from)}–${formatNumber(to)}件`,
  pages: "質問のページ",
  previousPage: "前のページ",
  nextPage: "次のページ",
};
