import type { Areas } from "../areas.ts";
import { counted } from "./plural.ts";

export const agents: Areas["agents"] = {
  messages: "メッセージとリード",
  apiAccess: "APIアクセス",
  settings: "共有と制限",
  back: "エージェントに戻る",
  title: "エージェント",
  summary: "チャット、API、スケジュール、Webhookで受け取ったメッセージに回答するフローです。",
  create: "新しいエージェント",
  editTitle: "名前とタグ",
  name: "名前",
  namePlaceholder: "カスタマーサポート",
  tags: "タグ",
  tagsHint: "1件ごとにEnterキーを押してください。エージェントをタグで絞り込めます。",
  search: "エージェントを検索",
  filterByTag: "タグ",
  emptyTitle: "エージェントはまだありません",
  emptyText:
    "エージェントは、メッセージに回答するステップのフローです。テンプレート、ファイル、またはモデル1つの空のフローから始められます。",
  open: (name) => `${name}を開く`,
  chat: "チャット",
  chatWith: (name) => `${name}とチャット`,
  publicBadge: "一般公開",
  copyName: (name) => `${name}（コピー）`,
  duplicated: (name) => `「${name}」を作成しました。`,
  deleted: (name) => `「${name}」を削除しました。`,
  deleteTitle: "このエージェントを削除しますか？",
  deleteText: (name) =>
    `「${name}」と、そのバージョン、会話、フィードバック、リードを削除し、進行中の実行を終了します。この操作は元に戻せません。`,
  rehearsal: "エージェントはリハーサルモデルを使用しています。AIではなく、固定のルールに従って応答します。",
  connectModel: "モデルを接続",
  count: (count) => `エージェント${counted(count, "件")}`,
  steps: (count) => `ステップ${counted(count, "個")}`,
};

export const agentApi: Areas["agentApi"] = {
  title: (agent) => `APIアクセス: ${agent}`,
  loadingTitle: "APIアクセス",
  key: "APIキー",
  keyText:
    "プログラムはAPIキーで認証します。新しいキーではメッセージを送信できますが、ほかのユーザーのメッセージは読み取れません。",
  createKey: "この例で使うキーを作成",
  keyName: (agent) => `${agent}のAPI`,
  keyCreatedTitle: "今すぐキーをコピーしてください",
  keyCreated:
    "下の例にはこのキーがすでに含まれています。表示されるのは今回だけです。「APIキー」で失効させることができます。",
  copyKey: "キーをコピー",
  boundText: "このエージェントは専用のAPIキーのみを受け付けます。例ではそのキーを使用してください。",
  placeholder: "YOUR_API_KEY",
  usage: "エージェントを呼び出す",
  usages: { ask: "質問", stream: "ストリーミング", openai: "OpenAI", mcp: "MCP" },
  usageTexts: {
    ask: "1回のリクエストで1件の回答を受け取ります。会話を続けるには、回答に含まれるchatIdを次の質問と一緒に送信してください。",
    stream: "回答をServer-Sent Eventsでストリーミングします。",
    openai: "OpenAI互換のクライアントから、エージェントをモデルとして使用します。",
    mcp: "MCPクライアントから、エージェントをツールとして使用します。",
  },
  language: "言語",
  languages: { curl: "curl", typescript: "TypeScript", python: "Python", json: "構成" },
  addresses: "アドレス",
  prediction: "メッセージ送信",
  openaiBase: "OpenAI互換のベースURL",
  openaiModel: "モデル",
  mcpAddress: "MCPサーバー",
  copyAddress: (name) => `${name}をコピー`,
  documentation: "詳しくはAPIドキュメントをご覧ください。",
};
