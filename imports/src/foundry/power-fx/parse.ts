import { ExpressionProblem, lex, type Token } from "./lex.ts";

/** A Power Fx expression as a tree. */
export type Expression =
  | { type: "literal"; value: string | number | boolean }
  | { type: "name"; name: string }
  | { type: "field"; of: Expression; name: string }
  | { type: "call"; name: string; args: readonly Expression[] }
  | { type: "unary"; operator: "-" | "!" | "%"; of: Expression }
  | { type: "binary"; operator: BinaryOperator; left: Expression; right: Expression }
  | { type: "table"; items: readonly Expression[] }
  | { type: "record"; fields: readonly { name: string; value: Expression }[] }
  | { type: "text"; parts: readonly Expression[] }
  | { type: "as"; of: Expression; name: string };

export type BinaryOperator = "||" | "&&" | "in" | "exactin" | "=" | "<>" | "<" | "<=" | ">" | ">=" | Arithmetic | ";";
type Arithmetic = "&" | "+" | "-" | "*" | "/" | "^";

/** How strongly an operator binds its operands. Source: Power Fx, operators and identifiers. */
const strengths: Readonly<Record<BinaryOperator, number>> = {
  ";": 1,
  "||": 2,
  "&&": 3,
  in: 4,
  exactin: 4,
  "=": 5,
  "<>": 5,
  "<": 5,
  "<=": 5,
  ">": 5,
  ">=": 5,
  "&": 6,
  "+": 7,
  "-": 7,
  "*": 8,
  "/": 8,
  "^": 11,
};
const asStrength = 9;
const prefixStrength = 10;
const words: ReadonlyMap<string, BinaryOperator> = new Map([
  ["and", "&&"],
  ["or", "||"],
  ["in", "in"],
  ["exactin", "exactin"],
]);

const maxDepth = 100;
/** Operators in a row, as in a text that is joined of many. */
const maxChain = 400;

/** `isRepaired`: brackets that were never closed were closed at the end. */
export type Parsed = { ok: true; expression: Expression; isRepaired: boolean } | { ok: false; problem: string };

/** Reads a Power Fx expression, without the `=` before it. Never throws. */
export function parseExpression(source: string): Parsed {
  try {
    const reader = new Reader(lex(source));
    const expression = reader.readAll();
    return { ok: true, expression, isRepaired: reader.isRepaired };
  } catch (cause) {
    if (cause instanceof ExpressionProblem) return { ok: false, problem: cause.message };
    throw cause;
  }
}

const endToken: Token = { kind: "end", text: "", at: 0 };

/** Reads tokens by precedence climbing. Throws `ExpressionProblem`. */
class Reader {
  isRepaired = false;
  #next = 0;
  #depth: number;
  readonly #tokens: readonly Token[];

  constructor(tokens: readonly Token[], depth = 0) {
    this.#tokens = tokens;
    this.#depth = depth;
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? endToken;
  }

  #isMark(text: string): boolean {
    const token = this.#peek();
    return token.kind === "mark" && token.text === text;
  }

  #take(): Token {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }
  #close(text: string): void {
    if (this.#isMark(text)) this.#next += 1;
    else if (this.#peek().kind === "end") this.isRepaired = true;
    else throw new ExpressionProblem(`${text} is expected before ${JSON.stringify(this.#peek().text)}`);
  }
  readAll(): Expression {
    const expression = this.#read(0);
    if (this.#peek().kind !== "end")
      throw new ExpressionProblem(`${JSON.stringify(this.#peek().text)} is not expected there`);
    return expression;
  }

  /** Reads operands and the operators that bind more strongly than `strength`. */
  #read(strength: number): Expression {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new ExpressionProblem(`it is nested more than ${maxDepth} deep`);
    let left = this.#readPostfix(this.#readOperand());
    for (let links = 0; ; links += 1) {
      if (links > maxChain) throw new ExpressionProblem(`it has more than ${maxChain} operators in a row`);
      const longer = this.#readInfix(left, strength);
      if (longer === undefined) break;
      left = longer;
    }
    this.#depth -= 1;
    return left;
  }

  #readInfix(left: Expression, strength: number): Expression | undefined {
    const operator = operatorOf(this.#peek());
    if (operator !== undefined) {
      const own = strengths[operator];
      if (own <= strength) return undefined;
      this.#next += 1;
      if (operator === ";" && (this.#peek().kind === "end" || this.#isMark(")"))) return left;
      return { type: "binary", operator, left, right: this.#read(own) };
    }
    if (this.#peek().kind !== "name" || this.#peek().text !== "As" || asStrength <= strength) return undefined;
    this.#next += 1;
    return { type: "as", of: left, name: this.#take().text };
  }

  #readPostfix(start: Expression): Expression {
    let expression = start;
    for (let links = 0; links <= maxChain; links += 1) {
      if (this.#isMark("%")) {
        this.#next += 1;
        expression = { type: "unary", operator: "%", of: expression };
      } else if (this.#isMark(".") || this.#isMark("!")) {
        this.#next += 1;
        expression = { type: "field", of: expression, name: this.#readName() };
      } else return expression;
    }
    throw new ExpressionProblem(`it has more than ${maxChain} fields in a row`);
  }

  #readName(): string {
    const token = this.#take();
    if (token.kind === "name" || token.kind === "quoted-name" || token.kind === "text") return token.text;
    throw new ExpressionProblem(`a name is expected before ${JSON.stringify(token.text)}`);
  }

  #readOperand(): Expression {
    const token = this.#take();
    switch (token.kind) {
      case "number":
        return { type: "literal", value: Number(token.text) };
      case "text":
        return { type: "literal", value: token.text };
      case "interpolated":
        return { type: "text", parts: (token.parts ?? []).map((part, index) => this.#readPart(part, index)) };
      case "quoted-name":
        return { type: "name", name: token.text };
      case "name":
        return this.#readNamed(token.text);
      case "mark":
        return this.#readMarked(token.text);
      case "end":
        throw new ExpressionProblem("it ends too early");
    }
  }

  #readPart(part: string, index: number): Expression {
    if (index % 2 === 0) return { type: "literal", value: part };
    return new Reader(lex(part), this.#depth + 1).readAll();
  }

  #readNamed(name: string): Expression {
    const word = name.toLowerCase();
    if (this.#isMark("(")) return { type: "call", name, args: this.#readList("(", ")") };
    if (word === "true" || word === "false") return { type: "literal", value: word === "true" };
    if (word === "not") return { type: "unary", operator: "!", of: this.#read(prefixStrength) };
    return { type: "name", name };
  }

  #readMarked(mark: string): Expression {
    switch (mark) {
      case "-":
      case "!":
        return { type: "unary", operator: mark, of: this.#read(prefixStrength) };
      case "+":
        return this.#read(prefixStrength);
      case "(": {
        const inner = this.#read(0);
        this.#close(")");
        return inner;
      }
      case "[":
        this.#next -= 1;
        return { type: "table", items: this.#readList("[", "]") };
      case "{":
        return this.#readRecord();
      default:
        throw new ExpressionProblem(`${JSON.stringify(mark)} is not expected there`);
    }
  }

  #readList(open: string, end: string): Expression[] {
    this.#close(open);
    const items: Expression[] = [];
    while (!this.#isMark(end) && this.#peek().kind !== "end") {
      items.push(this.#read(0));
      if (!this.#isMark(",")) break;
      this.#next += 1;
    }
    this.#close(end);
    return items;
  }

  #readRecord(): Expression {
    const fields: { name: string; value: Expression }[] = [];
    while (!this.#isMark("}") && this.#peek().kind !== "end") {
      const name = this.#readName();
      this.#close(":");
      fields.push({ name, value: this.#read(0) });
      if (!this.#isMark(",")) break;
      this.#next += 1;
    }
    this.#close("}");
    return { type: "record", fields };
  }
}

function operatorOf({ kind, text }: Token): BinaryOperator | undefined {
  if (kind === "name") return words.get(text.toLowerCase());
  if (kind !== "mark") return undefined;
  return isOperator(text) ? text : undefined;
}

function isOperator(text: string): text is BinaryOperator {
  return Object.hasOwn(strengths, text);
}

/** `Local.A.B` → `["Local", "A", "B"]`; undefined for anything but names and fields. */
export function pathOf(expression: Expression): string[] | undefined {
  if (expression.type === "name") return [expression.name];
  if (expression.type !== "field") return undefined;
  const path = pathOf(expression.of);
  return path && [...path, expression.name];
}
