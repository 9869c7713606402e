import type { Areas } from "../areas.ts";
import { formatNumber, withDecimals } from "../index.ts";

export const storeQuestion: Areas["storeQuestion"] = {
  addTitle: "質問を追加",
  editTitle: "質問を編集",
  add: "質問を追加する",
  question: "質問",
  documents: "答えとなるドキュメント",
  documentsHelp: "1 行に 1 つ、検索結果での名前で入力します。いずれかが見つかれば正解です。",
  words: "パッセージに含まれるべき語句",
  wordsHelp: "任意。1 行に 1 つ入力します。すべてを含むパッセージだけが正解になります。",
  store: "ドキュメントストア",
  added: "質問をストアの質問セットに追加しました。",
  saved: "質問を保存しました。",
  fromAnswer: "質問セットに追加",
  noStore: "これらのソースのドキュメントストアはもうありません。",
};

export const storeQuestions: Areas["storeQuestions"] = {
  tab: "質問セット",
  title: "質問セット",
  help: "見つかるべきドキュメントを添えた質問です。変更のあとに確認すると、検索が良くなったか悪くなったかがわかります。",
  emptyTitle: "質問はまだありません",
  emptyText:
    "実際によくある質問と、その答えとなるドキュメントを追加します。ここから、「クエリ」タブの検索結果から、またはチャットの回答から追加できます。",
  add: "質問を追加",
  import: "インポート",
  export: "エクスポート",
  imported: (added, skipped) =>
    `${formatNumber(added)} 件の質問を追加しました（${formatNumber(skipped)} 件は登録済み）。`,
  check: "今すぐ確認",
  checking: "質問を確認しています",
  progress: (done, total) => `${formatNumber(total)} 件中 ${formatNumber(done)} 件を確認済み`,
  cancel: "キャンセル",
  cancelled: "確認をキャンセルしました。結果は保存されていません。",
  checked: (regressions) =>
    regressions === 0 ? "すべての質問を確認しました。" : `${formatNumber(regressions)} 件の質問が悪化しました。`,

  afterIndexing: "インデックス登録のたびに質問を確認",
  afterIndexingHelp:
    "ドキュメントが変わると、インデックス登録の終了後にすべての質問を確認します。再現率が下がった場合は、ここ、ログ、メトリクスに表示されます。",
  checkWaiting: "ドキュメントが変わりました。インデックス登録が終わると質問を確認します。",
  checkFailed: "インデックス登録後の前回の確認に失敗しました",
  results: "前回の確認",
  causedByIndexing: "インデックス登録後",
  dropTitle: (drop) => `Recall@5 が ${withDecimals(drop, 3)} 下がりました`,
  dropText:
    "上位 5 件に入った期待されるドキュメントが、前の確認より減りました。悪化した質問は下の一覧の先頭に表示されます。",
  recall1Help: "期待したドキュメントのうち 1 位になった割合",
  recall5Help: "期待したドキュメントのうち上位 5 件に入った割合",
  mrrHelp: "最初の正しいドキュメントの順位の逆数の平均",
  change: (difference) => `${difference > 0 ? "+" : "−"}${withDecimals(Math.abs(difference), 3)}`,
  unchanged: "変化なし",
  settings: (model, mode, splitters, reranker) => `${model} · ${mode} · ${splitters} · ${reranker}`,
  noReranker: "再ランクなし",
  took: (questions, ms) => `${formatNumber(questions)} 件の質問、${formatNumber(ms)} ms`,
  chart: "推移",
  chartSummary: (checks, first, last) => `${formatNumber(checks)} 回の確認の再現率と MRR。MRR は ${first} から ${last}`,

  list: "質問の一覧",
  search: "質問を検索",
  question: "質問",
  expected: "期待",
  mustContain: (words) => `「${words}」を含む`,
  place: "順位",
  notFound: "見つかりません",
  notChecked: "未確認",
  was: (place) => `前回 ${place}`,
  wasNotFound: "前回は見つからず",
  worse: "悪化",
  better: "改善",
  found: "見つかったパッセージ",
  nothingFound: "何も見つかりませんでした。",
  right: "正解",
  deleteTitle: "この質問を削除しますか？",
  deleteText: (question) => `「${question}」を質問セットから削除します。これまでの確認の数値は残ります。`,
  passageIsRight: "このパッセージは正しい",
};
