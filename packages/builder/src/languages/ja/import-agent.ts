import type { Areas } from "../areas.ts";
import { formatList } from "../index.ts";
import { counted } from "./plural.ts";

export const imports: Areas["import"] = {
  title: "エージェントをインポート",
  back: "エージェント",
  files: "ファイル",
  text: "1つのエージェントのファイルをここにドロップしてください。WeftまたはAgentFlow V2のフロー、従来のChatflow、Flowiseのマルチエージェントフロー、Microsoft Foundryのワークフローとそのエージェント、OpenAI Agent Builderがエクスポートしたコードに対応しています。",
  choose: "ファイルを選択",
  add: "ファイルを追加",
  paste: "または1つのファイルのテキストを貼り付け",
  remove: (name) => `${name}を削除`,
  pasted: "貼り付けたテキスト",
  tooLarge: (name) => `${name}は、フローの上限である4 MBを超えています。別のファイルを選択してください。`,
  name: "名前",
  nameHelp: "エージェントの名前です。",
  fallbackName: "インポートしたフロー",
  several: (count) => `ファイルに${counted(count, "個")}のフローが含まれています`,
  chooseFlow: "フローを選択",
  choices: "割り当て",
  choicesText:
    "ファイルには次のものの名前しか含まれていません。このサーバーで何を使うかを、今ここで、またはあとでエディターで指定してください。",
  missingText:
    "フローには次のものが必要ですが、このサーバーにはそのままでは存在しません。今ここで、またはあとでエディターで選択してください。",
  kinds: {
    model: (name) => `${name}の代わりに使うモデル`,
    agent: (name) => `エージェント ${name}`,
    "document-store": (name) => `${name}の代わりに使うドキュメントストア`,
    credential: (name) => `${name}の代わりに使う認証情報`,
  },
  defaultModels: (count) => (count === 1 ? "デフォルトのモデルを使用" : "すべてにデフォルトのモデルを使用"),
  secrets: "シークレット",
  secretsText:
    "ファイルには次のシークレットが含まれています。認証情報として暗号化して保存され、フローには含まれません。ファイルを入手した人は読み取れたため、発行元で新しいものに交換してください。",
  sentTo: (host) => `${host}にのみ送信`,
  findings: "確認事項",
  counts: ({ exact, approximate, refused }) =>
    `${formatList([
      `ステップ${exact}個を正確に変換`,
      ...(approximate > 0 ? [`${approximate}個は注記あり`] : []),
      ...(refused > 0 ? [`${refused}個は対応が必要`] : []),
    ])}。`,
  submit: "インポート",
  unread: "これらのファイルは読み取れません",
  empty: "保存する前に、フローがここに表示されます。",
};
