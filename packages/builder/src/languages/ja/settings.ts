import type { Areas } from "../areas.ts";
import { formatList } from "../index.ts";
import { counted } from "./plural.ts";

export const settings: Areas["settings"] = {
  title: "設定",
  account: "アカウント",
  name: "名前",
  email: "メールアドレス",
  unnamed: "名前なし",
  operator:
    "コマンドラインのトークンでサインインしています。アカウントに関連付けられていないため、変更するパスワードはありません。",
  password: "パスワード",
  passwordText: "変更すると、ほかのすべてのデバイスからサインアウトします。",
  currentPassword: "現在のパスワード",
  newPassword: "新しいパスワード",
  newPasswordHint: "8文字以上。",
  changePassword: "パスワードを変更",
  passwordChanged: "パスワードを変更しました。ほかのすべてのデバイスからサインアウトしました。",
  everywhere: "すべてのデバイスからサインアウト",
  everywhereText:
    "デバイスを紛失した場合や、サインインしたままのデバイスがある場合は、パスワードを入力すると、このセッションを含むアカウントのすべてのセッションを終了できます。APIキーには影響しません。",
  everywhereSubmit: "すべてサインアウト",
  appearance: "外観",
  colours: "テーマ",
  schemes: { auto: "システム", light: "ライト", dark: "ダーク" },
  language: "言語",
  languageHelp: "ステップのラベルとサーバーのエラーメッセージは英語のままです。",
  browserLanguage: (name) => `ブラウザーの設定に合わせる（${name}）`,
  flowise: "Flowiseからの移行",
  flowiseText:
    "Flowiseの環境全体をデータベースから引き継ぎます。エージェント、認証情報、APIキー、ドキュメントストア、チャットが同じIDで移行されます。",
  flowiseOpen: "移行を開始",
  about: "このアプリについて",
  version: "サーバーのバージョン",
  documentation: "APIドキュメント",
};

export const variables: Areas["variables"] = {
  title: "変数",
  summary: "すべてのフローで読み取れる値です。テキストでは {{ $vars.name }}、コードでは $vars.name と記述します。",
  create: "新しい変数",
  createTitle: "新しい変数",
  editTitle: "変数を編集",
  search: "変数を検索",
  emptyTitle: "変数はまだありません",
  emptyText:
    "アドレス、都市、上限値など、複数のフローで共有する値を保存します。ここで変更すると、すべてのフローが新しい値を使用します。",
  nameHint: "コードで $vars.name の形で読み取れるように、英数字とアンダースコアを使用してください。",
  types: {
    string: "テキスト",
    number: "数値",
    boolean: "はい/いいえ",
    json: "JSON",
    runtime: "サーバーの環境変数",
    static: "テキスト（静的）",
  },
  runtimeHint:
    "フローの実行時に、同じ名前の環境変数から読み取ります。使用できる名前は、サーバー管理者がRUNTIME_VARIABLESで指定します。",
  runtimeValue: "フローの実行時に読み取り",
  yes: "true",
  no: "false",
  noValue: "空",
  saved: (name) => `「${name}」を保存しました。`,
  deleted: (name) => `「${name}」を削除しました。`,
  deleteTitle: "この変数を削除しますか？",
  deleteText: (name) => `$vars.${name} を読み取るフローでは、値が取得できなくなります。この操作は元に戻せません。`,
};

export const credentials: Areas["credentials"] = {
  title: "認証情報",
  summary: "モデルや連携で使用するキーとパスワードです。暗号化して保存され、再び表示されることはありません。",
  create: "新しい認証情報",
  createTitle: "新しい認証情報",
  editTitle: "認証情報を編集",
  emptyTitle: "認証情報はまだありません",
  emptyText:
    "モデルのプロバイダーや、フローが呼び出すサービスのキーを追加してください。フローは名前で参照し、値を見ることはありません。",
  modelGroup: "モデル",
  otherGroup: "フローが呼び出すサービス",
  earlierGroup: "既存のクライアントが使用する名前",
  keepsValue: "空欄の場合は保存済みの値を維持",
  isSet: "値は保存済みです",
  optional: (title) => `${title}（任意）`,
  values: "値",
  remove: "保存済みの値を削除",
  unreadable: "読み取り不可",
  unreadableText:
    "サーバーの暗号化キーが変更されたため、保存済みの値を復号できません。もう一度入力して保存してください。",
  unknownType: "このサーバーはこの種類の認証情報に対応していません。名前は変更できます。値はそのまま保持されます。",
  hosts: "ホスト",
  hostsHelp: (implied) =>
    `認証情報は、ここに入力したホスト${implied.length === 0 ? "" : `と${formatList(implied)}`}にのみ送信されます。エージェントを保存すると、そのステップで指定されたホストが追加されます。例: api.example.com、api.example.com:8443、*.example.com`,
  bind: (host) => `${host}へのこの認証情報の送信を許可`,
  bound: (name, host) => `「${name}」を${host}に送信できるようになりました。`,
  saved: (name) => `「${name}」を保存しました。`,
  deleted: (name) => `「${name}」を削除しました。`,
  deleteTitle: "この認証情報を削除しますか？",
  deleteText: (name) =>
    `「${name}」を使用するフローとモデルは、別の認証情報を選択するまで失敗します。この操作は元に戻せません。`,
};

export const models: Areas["models"] = {
  title: "モデル",
  summary: "エージェントが使用するモデルです。フローで個別のモデルを指定しない場合は、デフォルトが使用されます。",
  provider: "プロバイダー",
  model: "モデル",
  modelHint:
    "選択するか、プロバイダーが提供するモデル名を入力してください。空欄の場合はプロバイダーのデフォルトを使用します。",
  optional: (title) => `${title}（任意）`,
  keyStays: "キーは暗号化してこのサーバーに保存され、再び表示されることはありません。",
  refused: "モデルが応答しませんでした",
  connect: "モデルを接続",
  connectSubmit: "テストして使用",
  credential: "認証情報",
  serverKey: "サーバーの構成",
  deletedCredential: "削除された認証情報",

  defaultTitle: "デフォルトのモデル",
  providerDefault: "プロバイダーのデフォルト",
  chosenHere: "ここで選択したモデルです。サーバーの環境変数より優先されます。",
  fromConfiguration: "サーバーの環境変数で設定されています。ここでモデルを接続すると、そちらが優先されます。",
  rehearsal:
    "実際のモデルが接続されていません。フローはリハーサルモデルを使用します。AIではなく固定のルールに従い、回答のたびにその旨を表示します。",
  reset: "サーバーの構成を使用",
  wasReset: "デフォルトのモデルに、サーバーの構成を使用するようになりました。",
  wasChosen: (title) => `${title}がデフォルトのモデルになりました。`,
  change: "変更",
  changeTitle: "デフォルトのモデルを選択",
  test: "接続をテスト",
  testing: "テスト中…",
  answered: (model, durationMs) => `${model}が${durationMs} msで応答しました`,

  providersTitle: "プロバイダー",
  isDefault: "デフォルト",
  images: "画像対応",
  credentialCount: (count) => `認証情報${counted(count, "件")}`,
  noCredential: "認証情報なし",
  builtIn: "組み込み",
  addCredential: "認証情報を追加",
};
