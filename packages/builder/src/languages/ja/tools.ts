import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";

export const tools: Areas["tools"] = {
  title: "ツール",
  summary:
    "エージェントが呼び出せるJavaScript関数です。サンドボックス内で動作し、ほかのサービスにはfetchでのみアクセスします。",
  create: "新しいツール",
  search: "ツールを検索",
  emptyTitle: "ツールはまだありません",
  emptyText:
    "ツールを使うと、エージェントが独自のコードを実行できます。システムへの問い合わせ、価格の計算、情報の検索などに利用できます。",
  parameters: "パラメーター",
  noParameters: "なし",
  notReadable: "JSON Schema",
  deleteTitle: "このツールを削除しますか？",
  deleteText: (name) => `「${name}」を使用するエージェントは、実行に失敗するようになります。この操作は元に戻せません。`,
  deleted: (name) => `「${name}」を削除しました。`,
  saved: (name) => `「${name}」を保存しました。`,
  copyOf: (name) => `${name}_copy`,

  newTitle: "新しいツール",
  back: "すべてのツール",
  name: "名前",
  nameHelp: "モデルが使用する名前です。英数字と_を使用できます。",
  namePlaceholder: "get_weather",
  description: "説明",
  descriptionHelp: "ツールの機能と呼び出すタイミングをモデルに伝えます。",
  descriptionPlaceholder: "指定した都市の今日の天気を返します。",
  colour: "色",
  icon: "アイコン",
  iconUpload: "アップロード",
  iconRemove: "削除",
  iconTooLarge: (limitKb) => `画像のサイズは${limitKb} kBまでです。`,
  iconRemote: "ほかのサイトの画像は保持されますが、ここには表示されません。",
  parametersHelp: "モデルが値を設定します。コードでは$nameの形で読み取ります。",
  code: "コード",
  codeHelp:
    "非同期関数の本体です。結果をreturnで返します。テキストはそのまま、それ以外はJSONとしてモデルに渡されます。",
  codePlaceholder: 'const response = await fetch("https://example.com/" + $city);\nreturn await response.text();',
  known: "コードで使用できるもの",
  knownNames: {
    vars: "変数（$vars.companyなど）",
    flow: "実行の情報: chatId、sessionId、input、state",
    fetch: "HTTPリクエスト（サーバーの規則の範囲内）",
  },
  parameter: "パラメーター",
  test: "試す",
  testHelp: "このフォームのコードを使って、ツールを実際に呼び出します。",
  run: "実行",
  stop: "停止",
  saveFirst: "試すには、ツールを保存してください。",
  noInput: "このツールにはパラメーターがありません。",
  result: "結果",
  failed: "コードの実行に失敗しました",
  logs: "コンソール",
  duration: (ms) => `${formatNumber(ms)} ms`,
  emptyResult: "空のテキスト",

  leave: "このツールの変更は保存されていません。",
  conflict:
    "ほかのユーザーがこのツールを先に保存しました。再読み込みすると相手の変更が表示され、自分の変更は失われます。",
};
