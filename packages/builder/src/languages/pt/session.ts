import type { Areas } from "../areas.ts";

export const session: Areas["session"] = {
  signInTitle: "Entrar no Weft",
  signInButton: "Entrar",
  email: "E-mail",
  password: "Senha",
  forgotten: (command) => `Esqueceu a senha? Quem administra o servidor pode definir outra com ${command}.`,

  firstTitle: "Crie a primeira conta",
  firstText: "Este servidor ainda não tem contas. Crie a primeira para entrar.",
  firstAddress: (address) =>
    `Abra o endereço de uso único que o servidor exibiu ao iniciar. Ele começa com ${address} e está no terminal que executa npm start ou no log do contêiner (docker compose logs).`,
  firstEnvironment:
    "Outra opção é iniciar o servidor com ADMIN_EMAIL e ADMIN_PASSWORD, que cria a conta automaticamente.",
  firstToken: "Inserir o token desse endereço",

  setUpTitle: "Crie sua conta",
  setUpText: "Esta é a primeira conta. Ela tem acesso total ao servidor.",
  setUpButton: "Criar conta",
  yourName: "Seu nome",
  newPassword: "Senha",
  passwordHint: "Pelo menos 8 caracteres. Algumas palavras aleatórias são fáceis de lembrar e difíceis de adivinhar.",
  token: "Token de uso único",
  tokenHint: "A parte depois de # no endereço que o servidor exibe ao iniciar sem contas.",

  welcomeTitle: "Qual modelo deve responder?",
  welcomeText: "Os agentes o usam quando não indicam outro. É possível trocá-lo a qualquer momento em Modelos.",
  connect: "Conectar e abrir a demonstração",
  or: "ou",
  rehearse: "Testar sem chave",
  rehearsalTitle: "O modelo de ensaio já vem incluído, é gratuito e não é uma IA.",
  rehearsalText:
    "Ele segue regras fixas. Use-o para ver os agentes chamarem ferramentas; cada resposta avisa que é apenas um ensaio.",
  connectedTitle: "Modelo conectado",
  connectedText: (model) => `Os fluxos usam ${model} quando não indicam outro modelo.`,
  openDemo: "Abrir o agente de demonstração",
  skip: "Ir para os agentes",
};
