import type { Areas } from "../areas.ts";

export const agentSettings: Areas["agentSettings"] = {
  title: (agent) => `共有と制限: ${agent}`,
  loadingTitle: "共有と制限",
  leave: "この設定の変更は保存されていません。",
  conflict:
    "ほかのユーザーがこのエージェントを先に保存しました。再読み込みすると相手の変更が表示され、自分の変更は失われます。",

  access: "利用できる人",
  isPublic: "一般公開",
  isPublicHelp: "訪問者がキーなしでチャットできます（Webサイトのチャットウィジェットなど）。",
  closed:
    "このサーバーではエージェントの一般公開が許可されていないため、訪問者はまだ利用できません。利用できるようにするには、ALLOW_PUBLIC_FLOWS=trueを指定してサーバーを起動してください。",
  opened: "訪問者がチャットできるようになりました。",
  deployed: "MCPツール",
  deployedHelp: "このサーバーのMCPエンドポイントに、エージェントをツールとして掲載します。",
  key: "専用のAPIキー",
  keyHelp: "設定すると、一般公開のエージェントでも、メッセージの送信にこのキーが必要になります。",
  anyKey: "なし（メッセージを送信できるすべてのキー）",
  missingKey: (id) => `削除済み（${id.slice(0, 8)}）`,
  noMatch: "一致する項目はありません。",

  pages: "Webサイト",
  pagesText: "このエージェントのチャットを埋め込めるWebサイトを制限します。APIクライアントには影響しません。",
  origins: "許可するオリジン",
  originsHelp: "1件ごとにEnterキーを押してください。空欄の場合はすべてのサイトを許可します。例: https://shop.example",
  originsMessage: "ほかのサイトに表示するメッセージ",

  limits: "レート制限",
  limitsText: "訪問者ごとに適用されます。1人の訪問者がモデルの予算を使い切るのを防ぎます。",
  isLimited: "メッセージ数を制限",
  limitMax: "メッセージ数",
  limitDuration: "期間（秒）",
  limitMessage: "上限に達したときのメッセージ",
  defaultLimitMessage: "メッセージが多すぎます。しばらくしてからもう一度お試しください。",

  budget: "訪問者の1日の予算",
  budgetText:
    "キーもアカウントも持たない訪問者が1日に使える量です。1日はUTCの午前0時に終わります。費用はモデルの価格がわかる場合に計算されます。サーバーの管理者はこれより少なくできます。",
  perVisitor: "訪問者1人",
  allVisitors: "訪問者全員の合計",
  budgetAmounts: { runs: "1日のメッセージ数", dollars: "1日の米ドル" },

  retention: "保存期間",
  retentionText:
    "キーもアカウントも持たない訪問者が残したものを、このエージェントが保存する日数です。チャットは最後のメッセージから数え、実行、ファイル、評価、ドキュメントを含みます。連絡先は登録時から数えます。サーバーの管理者はこれより短くできます。",
  retentionDays: { visitorDays: "チャットの日数", leadDays: "連絡先の日数" },
  retentionUnset: "サーバーの設定どおり",

  overrides: "上書き",
  overridesText:
    "APIクライアントと訪問者が、メッセージごとに変更できる設定です。サインインしたユーザーは、認証情報とアドレスを除くすべてを変更できます。",
  overridesOn: "呼び出し元による設定の上書きを許可",
  overridesOnHelp: "ここで選択した設定のみが対象です。それ以外は警告とともに無視されます。",
  overrideVariables: "変数",
  overrideVariablesHelp:
    "アドレスに使われている変数を許可すると、呼び出し元がリクエストの送信先を変更できます。名前ごとにEnterキーを押してください。",
  overrideNode: (label) => `${label}の設定`,
  overrideHistory: "訪問者によるチャット履歴の送信を許可",
  overrideHistoryHelp:
    "訪問者がエージェントの過去の回答を偽装できるようになります。APIクライアントは常に送信できます。",

  writes: "訪問者による操作",
  writesText:
    "キーもアカウントもない訪問者に適用されます。そのメッセージはエージェントを誤った操作に誘導する可能性があります。「人に確認」では、アカウントを持つユーザーが「実行履歴」で判断します。",
  effects: { write: "データの変更", destructive: "データの削除" },
  rulings: { allow: "許可", ask: "人に確認", refuse: "拒否" },

  chat: "チャット機能",
  chatText: "このビルダーのチャットと、Webサイトのチャットに適用されます。",
  prompts: "メッセージの候補",
  promptsHelp: "最初のメッセージの前に表示されます。1件ごとにEnterキーを押してください。",
  feedback: "フィードバックを求める",
  feedbackHelp: "回答ごとに高評価または低評価を付けられます。",
  followUps: "回答のあとにメッセージを提案",
  followUpsHelp: "回答のたびにエージェントのモデルをもう一度呼び出すため、トークンを消費します。",
  files: "訪問者によるファイルの添付を許可",
  filesHelp: "ファイルのテキストが質問に追加されます。",
  fileTypes: "ファイルの種類",
  fileTypesHelp: "空欄の場合は、対応するすべての種類を許可します。",
  leads: "連絡先を尋ねる",
  leadsHelp: "最初のメッセージの前にフォームを表示します。入力内容は「メッセージとリード」に表示されます。",
  leadsTitle: "フォームのタイトル",
  leadsSuccess: "確認メッセージ",
  leadsFields: "フォームの項目",
  leadFields: { name: "名前", email: "メールアドレス", phone: "電話番号" },

  speech: {
    title: "音声",
    text: "訪問者はホスト型チャットやチャットウィジェットでメッセージを録音できます。話した内容が質問になります。",
    isOn: "訪問者によるメッセージの録音を許可",
    isOnHelp: "録音は、選択したサービスに送信されます。",
    service: "サービス",
    address: "アドレス",
    addressHelp: "OpenAIの文字起こしAPIを備えた任意のサーバーです。",
    badAddress: (example) =>
      `${example} のようなアドレスを入力してください。それまで、訪問者はメッセージを録音できません。`,
    credential: "認証情報",
    serverKeyHelp: "空欄にすると、このサーバーのキーを使用します。",
    noKeyHelp: "サービスにキーが不要な場合は空欄にしてください。",
    needsCredential: (service) =>
      `${service}には認証情報が必要です。選択するか、ここで作成してください。それまで、録音は失敗します。`,
    deletedCredential: "この認証情報は削除されたため、録音は失敗します。別のものを選択してください。",
    model: "モデル",
    language: "言語",
    languageHelp: "訪問者が話す言語です。空欄にすると自動的に検出します。",
    prompt: "想定される語句",
    promptHelp: "訪問者が話しそうな名前や用語です。正しく表記されるようになります。",
    temperature: "温度",
    temperatureHelp: "0～1。値が大きいほど自由に推測します。空欄にすると、サービスのデフォルトを使用します。",
    readsAloud: "回答を読み上げる",
    readsAloudHelp:
      "チャットでは各回答の下にボタンが表示され、プログラムは API を使います。テキストは選択したサービスに送信されます。",
    voiceService: "読み上げサービス",
    voiceCredential: "読み上げの認証情報",
    voice: "音声",
    voiceModel: "読み上げモデル",
    voiceHelp: "空欄にすると、サービスのデフォルトを使用します。",
    voicesUnknown: "音声の一覧を取得できませんでした。認証情報を確認するか、音声の ID を入力してください。",
    autoPlay: "自動的に読み上げる",
    autoPlayHelp:
      "チャットは回答が完成するとすぐに読み上げます。ストリーミングされた回答は、聞く人がいなくてもすべてサービスに送信されます。",
    unsupported: (service) =>
      `音声に${service}が設定されていますが、このサーバーは対応していないため、訪問者はメッセージを録音できません。別のサービスを選択してください。`,
  },
};
