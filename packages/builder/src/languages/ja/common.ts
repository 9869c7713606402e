import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";
import { counted } from "./plural.ts";

export const common: Areas["common"] = {
  uses: {
    title: "使用箇所",
    none: "どこからも使われていません。",
    step: (name, step) => `${name}：ステップ「${step}」`,
    draft: (name) => `${name}（下書き）`,
    defaultModel: "既定のモデル",
    more: (count) => `ほか${formatNumber(count)}か所`,
  },
  cancel: "キャンセル",
  save: "保存",
  saved: "保存しました",
  reload: "再読み込み",
  create: "作成",
  delete: "削除",
  edit: "編集",
  close: "閉じる",
  done: "完了",
  copy: "コピー",
  copied: "コピーしました",
  copyCode: "コードをコピー",
  duplicate: "複製",
  name: "名前",
  type: "種類",
  value: "値",
  updated: "更新日時",
  created: "作成日時",
  actionsOf: (name) => `${name}の操作`,
  actions: "操作",
  labelled: (label, value) => `${label}: ${value}`,
  optional: "任意",
  showPassword: "パスワードの表示を切り替え",
  nothingFound: (text) => `「${text}」に一致する結果はありません。`,
  clearSearch: "検索をクリア",
  loading: "読み込み中",
  leaveTitle: "保存せずに移動しますか？",
  leave: "移動",
  stay: "とどまる",
  justNow: "たった今",
  units: { ms: "ms", s: "秒", min: "分", h: "時間", d: "日" },
};

export const error: Areas["error"] = {
  conflict:
    "ほかのユーザーが先に変更したため、保存されませんでした。最新バージョンを読み込んでから、もう一度変更してください。",
  title: "問題が発生しました",
  unreachable: "サーバーに接続できません。サーバーの稼働状況とネットワーク接続を確認してから、もう一度お試しください。",
  unknown:
    "このページで予期しないエラーが発生しました。ページを再読み込みし、繰り返し発生する場合はエラーを報告してください。",
  status: (status) => `サーバーがステータス${status}を返しました。原因はサーバーのログで確認してください。`,
  retry: "再試行",
  reload: "ページを再読み込み",
  requestId: (id) => `リクエスト ${id}`,
  pageTitle: "このページを表示できませんでした",
  newVersion: "サーバー側でビルダーが更新されました。再読み込みすると、新しいバージョンを使用できます。",
  notFoundTitle: "ページが見つかりません",
  notFoundText: "URLを確認してください。リンク先が削除された可能性があります。",
  toAgents: "エージェント一覧へ",
};

export const shell: Areas["shell"] = {
  product: "Weft",
  navigation: "メイン",
  skipToContent: "コンテンツへスキップ",
  home: "ホーム",
  agents: "エージェント",
  assistants: "アシスタント",
  executions: "実行履歴",
  inbox: "受信トレイ",
  inboxCount: (count) => `${count}件の実行が回答を待っています`,
  inboxShortCount: (count) => (count > 99 ? "99+" : String(count)),
  documentStores: "ドキュメントストア",
  tools: "ツール",
  models: "モデル",
  prices: "料金",
  credentials: "認証情報",
  variables: "変数",
  apiKeys: "APIキー",
  system: "システム",
  settings: "設定",
  documentation: "APIドキュメント",
  lightColours: "ライトテーマ",
  darkColours: "ダークテーマ",
  signOut: "サインアウト",
  loading: "読み込み中",
  commands: {
    title: "移動と操作",
    open: "移動先を検索",
    search: "ページ、エージェント、操作を検索",
    here: "このページ",
    create: "新規",
    newAgent: "新しいエージェント",
    newFromTemplate: "テンプレートから新しいエージェント",
    importAgent: "エージェントをインポート",
    moveFromFlowise: "Flowiseから移行",
    pages: "ページ",
    everywhere: "共通",
    nothing: (text) => `「${text}」に一致する項目はありません。`,
  },
};

export const volume: Areas["volume"] = {
  volumeSummary: (runs, failures) => `実行${formatNumber(runs)}件、うち失敗${formatNumber(failures)}件`,
  part: (start, runs, failures) => `${start}: 実行${formatNumber(runs)}件、うち失敗${formatNumber(failures)}件`,
};

export const runState: Areas["runState"] = {
  INPROGRESS: "実行中",
  FINISHED: "完了",
  ERROR: "失敗",
  TIMEOUT: "タイムアウト",
  TERMINATED: "キャンセル済み",
  STOPPED: "待機中",
};

export const json: Areas["json"] = {
  items: (count) => `項目${counted(count, "件")}`,
  members: (count) => `フィールド${counted(count, "件")}`,
  showAll: (count) => `${counted(count, "件")}すべてを表示`,
  showMore: (count, rest) => `残り${counted(rest, "件")}のうち${counted(count, "件")}を表示`,
  showCharacters: (count) => `${counted(count, "文字")}すべてを表示`,
  copyValue: (name) => `${name} の値をコピー`,
  copyPath: (name) => `${name} のパスをコピー`,
};
