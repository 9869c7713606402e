import type { Areas } from "../areas.ts";

export const session: Areas["session"] = {
  signInTitle: "Weftにサインイン",
  signInButton: "サインイン",
  email: "メールアドレス",
  password: "パスワード",
  forgotten: (command) => `パスワードを忘れた場合は、サーバー管理者が${command}で再設定できます。`,

  firstTitle: "最初のアカウントを作成",
  firstText: "このサーバーにはまだアカウントがありません。サインインするには、最初のアカウントを作成してください。",
  firstAddress: (address) =>
    `サーバーの起動時に表示された、${address}で始まる1回限りのURLを開いてください。URLは、npm startを実行しているターミナル、またはコンテナーのログ（docker compose logs）で確認できます。`,
  firstEnvironment:
    "サーバーの起動時にADMIN_EMAILとADMIN_PASSWORDを設定して、アカウントを自動で作成することもできます。",
  firstToken: "URLのトークンを入力",

  setUpTitle: "アカウントを作成",
  setUpText: "最初のユーザーとして、このサーバーのすべての機能にアクセスできます。",
  setUpButton: "アカウントを作成",
  yourName: "名前",
  newPassword: "パスワード",
  passwordHint: "8文字以上。ランダムな単語をいくつか並べると、覚えやすく推測されにくくなります。",
  token: "ワンタイムトークン",
  tokenHint: "アカウントがない状態で起動したサーバーが表示するURLの、#より後の部分です。",

  welcomeTitle: "回答に使うモデルを選択",
  welcomeText: "別のモデルを指定しない限り、エージェントはこのモデルを使用します。「モデル」でいつでも変更できます。",
  connect: "接続してデモを開く",
  or: "または",
  rehearse: "キーなしで試す",
  rehearsalTitle: "リハーサルモデルは組み込みで無料です。AIではありません。",
  rehearsalText:
    "固定のルールに従って応答します。エージェントがツールを呼び出す様子を確認できます。回答には毎回、リハーサルであることが表示されます。",
  connectedTitle: "モデルを接続しました",
  connectedText: (model) => `別のモデルを指定しない限り、フローは${model}を使用します。`,
  openDemo: "デモのエージェントを開く",
  skip: "エージェント一覧へ",
};
