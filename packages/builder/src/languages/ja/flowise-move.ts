import type { Areas } from "../areas.ts";
import { formatList, formatNumber } from "../index.ts";
import { counted } from "./plural.ts";

export const flowiseMove: Areas["flowiseMove"] = {
  title: "Flowiseからの移行",
  summary:
    "Flowiseのデータベースから、エージェント、認証情報、APIキー、ドキュメントストア、チャットなどを同じIDで引き継ぎます。試行では、何も書き込まずに結果を確認できます。",
  back: "設定",
  forbiddenTitle: "インポートの権限がありません",
  forbiddenText: "環境のインポートには権限 installation:import が必要です。管理者に依頼してください。",

  file: "ファイル",
  fileText:
    "Flowiseを停止してから、DATABASE_PATHまたは~/.flowiseにあるdatabase.sqliteを選択してください。そのサーバーにアクセスできない場合は、Flowiseのエクスポートで作成したExportData.jsonを選択してください。このファイルには、認証情報、APIキー、リード、変数の値は含まれません。",
  commandText:
    "PostgreSQL、MySQL、MariaDBのデータベース、2 GiBを超えるファイル、ストレージフォルダーのファイルは、サーバー上でのみインポートできます。",
  choose: "ファイルを選択",
  chooseAgain: "ファイルを選択して再開",
  emptyFile: (name) => `${name}は空です。database.sqliteまたはExportData.jsonを選択してください。`,
  tooLarge: (name) =>
    `${name}はアップロードの上限である2 GiBを超えています。サーバー上でnpm run import-flowiseを実行してください。`,
  uploading: (name) => `${name}をアップロード中`,
  uploaded: (sent, size) => `${size}のうち${sent}をアップロードしました`,
  uploadGoesOn: "その間、ほかのページを使用できます。このウィンドウは開いたままにしてください。",
  lost: "接続が切れました。サーバーに接続でき次第、アップロードを再開します。",
  stopUpload: "アップロードを停止",
  incomplete: (name, received, size) =>
    `${name}は${size}のうち${received}がアップロード済みです。再開するには同じファイルを、やり直すには別のファイルを選択してください。`,
  complete: (name, size) => `${name}（${size}）をアップロードしました。`,
  remove: "アップロードしたファイルを削除",

  choices: "選択項目",
  key: "暗号化キー",
  keyText:
    "SECRETKEY_PATHまたは~/.flowiseにあるencryption.keyの内容、またはFLOWISE_SECRETKEY_OVERWRITEの値です。ない場合、認証情報は値なしでインポートされます。",
  noKeyNeeded: "ExportData.jsonには認証情報が含まれないため、キーは不要です。",
  keyGiven: "キーはサーバーにあります。インポートが終わるまで、メモリにのみ保持されます。",
  changeKey: "キーを変更",
  readKey: "ファイルから読み込む",
  notAKey: (name) => `${name}はキーとしては大きすぎます。encryption.keyを選択してください。`,
  workspace: "ワークスペース",
  allWorkspaces: "すべてのワークスペース",
  openFlows: "APIキーのないエージェント",
  openFlowsText: "Flowiseでは誰にでも応答します。ここでの扱いを選択してください。",
  openFlowsChoices: {
    closed: "APIキーを必須にする",
    public: "サーバーがALLOW_PUBLIC_FLOWS=trueで動作していれば、誰にでも応答する",
  },
  destinations: "フローの送信先への認証情報の送信を許可する",
  destinationsText:
    "試行では、これらの宛先がエージェントごとに表示されます。許可しない場合、エージェントは宛先を一つずつ許可するまで呼び出しません。",
  startDryRun: "試行を開始",
  repeatDryRun: "試行をやり直す",
  changed: "前回の試行から選択が変わりました。インポートの前に試行をやり直してください。",

  dryRun: "試行",
  import: "インポートの実行",
  submit: "インポート",
  opening: "ファイルを開いています…",
  reading: (kind, done, total) => `${kind}: ${formatNumber(total)}件中${formatNumber(done)}件を読み込みました`,
  goesOn: "このページを閉じても、サーバーは処理を続けます。レポートはあとで確認できます。",
  outOfReach: "現在サーバーに接続できません。サーバーが動作していれば、処理は続いています。",
  stop: "停止",
  stopTitle: "停止してファイルを削除しますか？",
  stopDryRunText: "何も書き込まれていません。アップロードしたファイルとキーはサーバーから削除されます。",
  stopImportText:
    "これまでにインポートした内容は残ります。アップロードしたファイルとキーはサーバーから削除されます。残りを追加するには、ファイルをアップロードして再度インポートしてください。",
  dryRunFailed: "試行に失敗しました",
  importFailed: "インポートに失敗しました",

  wouldAdd: (rows) => `インポートすると${counted(rows, "件")}の項目が追加されます。まだ何も書き込まれていません。`,
  nothingToAdd: "このファイルの内容はすべてここにあります。インポートしても何も書き込まれません。",
  added: (rows) => `${counted(rows, "件")}の項目をインポートしました。`,
  nothingAdded: "このファイルの内容はすべてここにありました。何も書き込まれていません。",
  removed:
    "アップロードしたファイルとキーはサーバーから削除されました。このレポートは、サーバーが再起動するまで残ります。",
  downloadReport: "レポートをダウンロード",
  close: "レポートを閉じる",

  counts: "種類別の項目",
  kind: "種類",
  columns: { read: "読み込み", written: "新規", there: "既存", left: "対象外" },
  kinds: {
    credential: "認証情報",
    variable: "変数",
    tool: "ツール",
    custom_mcp_server: "MCPサーバー",
    apikey: "APIキー",
    document_store: "ドキュメントストア",
    "document_store.loaders": "ローダー",
    document_store_file_chunk: "チャンク",
    chat_flow: "エージェント",
    assistant: "アシスタント",
    schedule_record: "スケジュール",
    chat_message: "チャットメッセージ",
    "files of chats": "チャットのファイル",
    chat_message_feedback: "フィードバック",
    lead: "リード",
    upsert_history: "インデックス履歴",
    execution: "実行履歴",
  },
  left: "対象外とその理由",

  todo: "必要な作業",
  environment:
    "次の変数をサーバーの環境に設定し、サーバーを再起動してください。すでに設定されている変数には、値を追加してください。",
  publicFlows: "ALLOW_PUBLIC_FLOWS=trueを設定すると、公開エージェントは誰にでも応答します。",
  runtimeVariables: (names) =>
    `フローは環境から${formatList(names)}を読み取ります。それぞれを環境に設定し、RUNTIME_VARIABLESに列挙してください。`,
  privateHosts: (hosts) =>
    `フローはプライベートネットワークの${formatList(hosts)}を呼び出します。EGRESS_ALLOWには、アクセスを許可するものだけを残してください。`,
  schedules: (names) =>
    `スケジュールはオフの状態でインポートされます。Flowiseを停止したら、ここでオンにしてください: ${formatList(names)}。`,
  embedding: (stores) =>
    `${formatList(stores)}の文章を再度埋め込んでいます。進行状況はドキュメントストアで確認できます。`,
  openStores: "ドキュメントストアを開く",

  agents: "エージェント",
  agentCounts: (clear, withFindings) =>
    `確認事項なし: ${counted(clear, "件")}、確認事項あり: ${counted(withFindings, "件")}`,
  access: {
    key: "Flowiseと同じく、専用のAPIキーが必要です",
    public: "Flowiseと同じく、誰でも利用できます",
    closed: "APIキーが必要です。Flowiseでは誰にでも応答していました",
  },
  notMoved: (counts) => `ここに対応するものがないため、移行されません: ${counts.join(", ")}`,
};
