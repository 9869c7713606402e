import type { Areas } from "../areas.ts";

export const session: Areas["session"] = {
  signInTitle: "登录 Weft",
  signInButton: "登录",
  email: "邮箱",
  password: "密码",
  forgotten: (command) => `忘记密码？服务器管理员可用 ${command} 设置新密码。`,

  firstTitle: "创建首个账号",
  firstText: "此服务器还没有账号。创建首个账号即可登录。",
  firstAddress: (address) =>
    `打开服务器启动时输出的以 ${address} 开头的一次性地址。可在运行 npm start 的终端或容器日志（docker compose logs）中找到。`,
  firstEnvironment: "也可在启动服务器时设置 ADMIN_EMAIL 和 ADMIN_PASSWORD，自动创建账号。",
  firstToken: "输入该地址中的令牌",

  setUpTitle: "创建你的账号",
  setUpText: "你是第一位用户。此账号对服务器拥有完全访问权限。",
  setUpButton: "创建账号",
  yourName: "你的姓名",
  newPassword: "密码",
  passwordHint: "至少 8 个字符。几个随机词语既好记，又难猜。",
  token: "一次性令牌",
  tokenHint: "服务器在没有账号时启动会输出一个地址，令牌是其中 # 之后的部分。",

  welcomeTitle: "使用哪个模型回答？",
  welcomeText: "未指定其他模型的智能体都使用此模型。可随时在“模型”中更改。",
  connect: "连接并打开演示",
  or: "或",
  rehearse: "无需密钥，直接试用",
  rehearsalTitle: "演练模型为内置模型，免费，不是 AI。",
  rehearsalText: "它按固定规则回答，可用来查看智能体如何调用工具；每个回答都会注明只是演练。",
  connectedTitle: "模型已连接",
  connectedText: (model) => `未指定其他模型的工作流都使用“${model}”。`,
  openDemo: "打开演示智能体",
  skip: "前往智能体",
};
