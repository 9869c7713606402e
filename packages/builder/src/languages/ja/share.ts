import type { Areas } from "../areas.ts";
import { formatList, formatNumber } from "../index.ts";

export const share: Areas["share"] = {
  open: "共有",
  title: (agent) => `${agent}を共有`,
  close: "閉じる",
  publish: "一般公開する",
  publishText:
    "現在このエージェントを利用できるのは、サインインできるユーザーと、APIキーを持つプログラムだけです。一般公開すると、リンクを知っている人は誰でも公開済みのフローとチャットでき、その費用はモデルの予算から支払われます。メッセージ数は「共有と制限」で制限できます。",
  budget: (runs, dollars, all) =>
    `訪問者1人は1日に${formatNumber(runs)}件のメッセージ、${dollars}まで、全員の合計で${all}まで利用できます。サーバーの管理者はこれより少なくできます。`,
  changeBudget: "制限を変更",
  isPublic: "このエージェントは一般公開されています。リンクを知っている人は誰でもチャットできます。",
  closed:
    "このサーバーではエージェントの一般公開が許可されていないため、訪問者はまだ利用できません。ALLOW_PUBLIC_FLOWS=trueを指定してサーバーを起動するよう、サーバー管理者に依頼してください。",
  needsKey:
    "このエージェントには専用のAPIキーが設定されているため、訪問者はまだ利用できません。「共有と制限」でキーを削除してください。",
  tabs: { link: "リンク", embed: "Webサイト", api: "API", openai: "OpenAI", mcp: "MCP" },
  texts: {
    link: "このエージェントだけのページです。リンクを送るか、コードを読み取ってもらってください。",
    embed: "Webサイトのページに貼り付けてください。チャットを開くボタンが表示されます。",
    api: "HTTPでメッセージを送信します。YOUR_API_KEYをAPIキーに置き換えてください。",
    openai: "OpenAI APIに対応したプログラム向けです。このベースURLと、モデルとしてエージェントのIDを設定してください。",
    mcp: "MCPクライアント向けです。エージェントを、ツールが1つのサーバーとして使用します。",
  },
  addressLabels: { link: "チャットページ", openai: "ベースURL", model: "モデル", mcp: "サーバーのアドレス" },
  snippet: { embed: "埋め込みコード", api: "リクエスト例" },
  qr: "チャットページのQRコード",
  tryIt: "試す",
  tryTexts: {
    link: "自分のセッションを使わず、訪問者としてページにアクセスします。",
    embed: "自分のセッションを使わず、訪問者としてスクリプトとエージェントのチャット設定を読み込みます。",
    api: "自分のセッションで「Hello!」を送信し、回答を表示します。",
    openai: "自分のセッションで「Hello!」を送信し、回答を表示します。",
    mcp: "自分のセッションでサーバーのツールを一覧表示します。",
  },
  works: "正常に動作しています。",
  pageWorks: "訪問者はページを開けます。",
  embedWorks: "訪問者はチャットを開けます。",
  tools: (names) => `ツール: ${formatList(names)}`,
  noTools: "サーバーは応答しましたが、ツールがありません。",
  answered: (text) => `エージェントの回答: ${text}`,
  noAnswer: "エージェントはテキストなしで応答しました。",
  refused: (status) => `訪問者は開けません。サーバーがステータス${status}を返しました。`,
};
