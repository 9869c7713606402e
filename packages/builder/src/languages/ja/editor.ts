import type { Areas } from "../areas.ts";
import { counted } from "./plural.ts";

export const editor: Areas["canvas"]["editor"] = {
  opening: "エージェントを開いています",
  notOpened: "エージェントを開けませんでした",
  notSaved: "未保存",
  back: "すべてのエージェント",
  name: "エージェント名",
  draft: {
    saved: "下書き保存済み",
    waiting: "下書きを編集中",
    saving: "下書きを保存中…",
    changed:
      "開いたあとに、ほかのユーザーがこのフローを変更しました。どちらを残すか選択するまで、こちらの変更は保存されません。",
    failed: (problem) => `下書きを保存できませんでした: ${problem}`,
    loadTheirs: "相手の変更を読み込む",
    keepMine: "自分の変更を残す",
  },
  published: "公開済み",
  publishedWith: (problems, warnings) =>
    problems > 0 ? `公開済み · 問題${counted(problems, "件")}` : `公開済み · 警告${counted(warnings, "件")}`,
  publish: "公開",
  undo: "元に戻す",
  redo: "やり直す",
  chat: "チャット",
  code: {
    title: "フローのコード",
    close: "コードを閉じる",
    valid: "有効なフローです。キャンバスに表示しています。",
    notJson: (problem) =>
      `まだJSONとして正しくありません: ${problem}。キャンバスには最後に有効だったフローを表示しています。`,
    notFlow: (path, problem) =>
      `まだフローとして正しくありません${path === "" ? "" : `（${path}）`}: ${problem}。キャンバスには最後に有効だったフローを表示しています。`,
  },
  panel: {
    step: "ステップ",
    chat: "チャット",
    code: "コード",
    choose: "サイドパネル",
    resize: "サイドパネルの幅",
  },
  foreign: {
    shown: (dialect) =>
      `このエージェントは別のフロー形式（${dialect}）で保存されています。キャンバスには実行時の形を表示しています。`,
    nothing: "キャンバスは空です。",
    untouched: "保存されているフローは、公開するまで変更されません。",
    rewritten: "公開するとネイティブ形式に変換され、元のフローは以前のバージョンとして残ります。",
  },
  actions: {
    add: "ステップを追加",
    chat: "チャットを開閉",
    code: "フローをコードで編集",
    tidyUp: "キャンバスを整列",
    fit: "フロー全体を表示",
    versions: "バージョンを表示",
    help: "キーボードショートカットを表示",
  },
  menu: {
    label: "その他の操作",
    versions: "バージョン",
    code: "コードで編集",
    discard: "下書きを破棄",
    duplicate: "エージェントを複製",
    copyOf: (name) => `${name}のコピー`,
    import: "フローをインポート",
    export: "フローをエクスポート",
    help: "キーボードショートカット",
  },
  findings: {
    label: (count) => (count === 0 ? "指摘なし" : `指摘${counted(count, "件")}`),
    none: "このフローに問題は見つかりませんでした。",
    error: "エラー",
    warning: "警告",
  },
  outdated: {
    plain: "開いたあとに、ほかのユーザーがこのエージェントを公開しました。",
    withEdits:
      "開いたあとに、ほかのユーザーがこのエージェントを公開しました。公開するときに、残すバージョンを選択できます。",
    load: "相手のものを読み込む",
  },
  conflict: {
    title: "ほかのユーザーがこのエージェントを公開しました",
    text: "開いたあとに変更されています。自分のバージョンを残して最新にするか、相手のバージョンを読み込んで自分の変更を破棄してください。どちらの場合も、相手のバージョンはバージョン履歴に残ります。",
    keepMine: "自分のものを残す",
    loadTheirs: "相手のものを読み込む",
  },
  leaving: {
    title: "保存せずに移動しますか？",
    text: "下書きの最後の変更を保存できませんでした。",
    leave: "保存せずに移動",
    stay: "とどまる",
  },
  import: {
    title: "フローをインポート",
    text: "WeftからエクスポートしたフローまたはAgentFlow V2のファイルを選択してください。キャンバスの内容が置き換わります。元に戻すこともできます。",
    choose: "ファイルを選択",
    paste: "またはフローをテキストで貼り付け",
    unread: "有効なフローではありません",
    several: (count) => `ファイルに${counted(count, "個")}のフローが含まれています`,
    chooseFlow: "フローを選択",
    found: (dialect, steps, connections) =>
      `${dialect === "native" ? "フロー" : `別の形式（${dialect}）のフロー`}: ステップ${counted(steps, "個")}、接続${counted(connections, "本")}`,
    findings: "インポートに関する注意",
    cancel: "キャンセル",
    replace: "キャンバスを置換",
  },
  versions: {
    title: "バージョン",
    number: (number) => `バージョン ${number}`,
    current: "現在",
    restore: (number) => `バージョン ${number} を復元`,
    keepsVersions: "最新バージョンになります。",
    losesEdits: "最新バージョンになり、下書きは破棄されます。",
  },
  diff: {
    since: "このバージョンからキャンバスまでの変更",
    none: "キャンバスはこのバージョンと同じです。",
    edges: (added, removed) => `接続: 追加${added}本、削除${removed}本`,
    moved: (count) => `キャンバス上で移動${count}個`,
    kinds: { added: "追加", removed: "削除", changed: "変更" },
    emptyText: "（空）",
    views: "変更の表示方法",
    steps: "ステップ",
    text: "テキスト",
    unchanged: (count) => `変更のない${counted(count, "行")}を表示`,
    tooDifferent: "共通する部分が少なすぎるため、行ごとに比較できません。",
  },
};
