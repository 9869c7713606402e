import type { Areas } from "../areas.ts";

export const replay: Areas["replay"] = {
  open: "ここから再実行",
  title: (step) => `「${step}」から再実行`,
  text: "このステップから新しい実行を始めます。これより前のステップは繰り返しません。ここから先で何かを変更する操作は、すべて承認を待ちます。",
  question: "質問",
  before: "前のステップの出力",
  change: "変更",
  changed: "変更済み",
  take: "この内容を使用",
  keep: "元のまま残す",
  gone: "この出力はもう保存されていないため、変更できません。",
  outputOf: (step) => `${step} の出力`,
  notJson: "有効なJSONではありません。修正するか、出力を元のまま残してください。",
  draft: "下書きを使用（ピン留めした出力を含む）",
  draftHelp: "オフの場合は、元の実行を開始したときのフローを使用します。",
  start: "再実行を開始",
  cancel: "キャンセル",

  run: "このステップを実行",
  running: "実行中",
  notYet:
    "先にエージェントへメッセージを送信してください。そのあと、前のステップの結果を使ってステップを実行できます。",
  waits: "このステップは何かを変更するため、承認を待っています。",
  approve: "承認",
  reject: "却下",

  pin: "出力をピン留め",
  unpin: "ピン留めを外す",
  pinned: "ピン留め済み",
  pinnedText: "テスト実行ではこの出力を使用し、ステップは実行しません。公開版の実行ではステップを実行します。",
  edit: "編集",
  save: "保存",
  pinnedOutput: "ピン留めした出力",
};
