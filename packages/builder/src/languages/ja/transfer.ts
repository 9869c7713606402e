import type { Areas } from "../areas.ts";

export const transfer: Areas["transfer"] = {
  title: "エクスポートとインポート",
  text: "エージェント、ツール、変数、アシスタント、ドキュメントストアを、1つのファイルとして別の環境に移します。認証情報の値、APIキー、ドキュメント、チャット、実行履歴は移されません。",
  withVersions: "エージェントの以前のバージョンを含める",
  download: "エクスポートをダウンロード",
  fileName: (isoDay) => `weft-export-${isoDay}.json`,
  choose: "エクスポートファイルを選択",
  notJson: (name) =>
    `${name}は有効なJSONではありません。エクスポートとしてダウンロードしたファイルを選択してください。`,
  checking: "ファイルを確認中…",
  preview: (name) => `${name}をインポートした場合の結果です。まだ何も変更されていません。`,
  nothingToDo: (name) => `${name}をインポートしても、ここでは何も変わりません。`,
  imported: (name) => `${name}をインポートしました。`,
  report: "種類別の項目",
  mode: "項目が既存のものと異なる場合",
  modes: { skip: "既存のものを残す", overwrite: "ファイルの内容で上書き" },
  kind: "種類",
  kinds: {
    agents: "エージェント",
    assistants: "アシスタント",
    tools: "ツール",
    variables: "変数",
    documentStores: "ドキュメントストア",
  },
  outcomes: { added: "追加", unchanged: "変更なし", overwritten: "上書き", skipped: "既存を維持" },
  next: "次の手順",
  submit: "インポート",
  cancel: "キャンセル",
  done: "完了",
};
