import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { Json, JsonObject } from "@weft/schema";
import { closeSandbox, evaluate } from "../testing/evaluate.ts";
import { type Expression, parseExpression, pathOf, toBranchTest, toLiteral } from "./index.ts";

const people = [
  { name: "Ada", age: 36 },
  { name: "Bob", age: 17 },
];
const state: JsonObject = {
  N: null,
  Five: 5,
  Text: "Tea",
  Yes: true,
  People: people,
  Values: ["a", "b"],
  Said: "Well done",
};

after(closeSandbox);

async function assertValues(cases: readonly (readonly [string, Json])[]): Promise<void> {
  for (const [source, value] of cases) assert.deepEqual(await evaluate(source, state), value, source);
}

describe("Power Fx in the sandbox", () => {
  it("computes with numbers, blanks and texts", () =>
    assertValues([
      ["1 + 2 * 3 - 4 / 2", 5],
      ["-2 ^ 2", -4],
      ["0.1 + 0.2", 0.3],
      ["50%", 0.5],
      ["Local.N + 1", 1],
      ['"5" + 1', 6],
      ['"a" & 1 & true & Local.N', "a1true"],
      ['$"{Local.Five} of {{x}} {If(Local.Yes, "yes", "no")}"', "5 of {x} yes"],
      ["Round(2.5, 0)", 3],
      ["Round(-2.5, 0)", -3],
      ["RoundDown(2.79, 1)", 2.7],
      ["RoundUp(2.71, 1)", 2.8],
      ["Trunc(-2.7)", -2],
      ["Int(-2.3)", -3],
      ["Mod(-5, 3)", 1],
      ['Value("1,234.5")', 1234.5],
      ['Value("")', null],
      ['Decimal("2.50")', 2.5],
      ['Boolean("TRUE")', true],
      ["Sum(1, 2, 3) + Max(4, 5) + Min(2, 1) + Average(2, 4)", 15],
    ]));

  it("compares as Power Fx does", () =>
    assertValues([
      ["Local.N = 0", false],
      ['Local.N = ""', false],
      ["Local.N = Blank()", true],
      ["Local.N < 4", true],
      ['"a" = "A"', false],
      ['"tea" in Local.Text', true],
      ['"tea" exactin Local.Text', false],
      ['"A" in Local.Values', true],
      ['Local.Five = 5 And Local.Text <> "x" || false', true],
      ["Not(Local.N) And !false", true],
      ["And(true, Local.Yes, Or(false, true))", true],
      ["5 >= 5 && 4 <= 5 && 5 > 4 && 4 < 5", true],
      ["{a: 1, b: [2]} = {b: [2], a: 1}", true],
    ]));

  it("decides lazily", () =>
    assertValues([
      ['If(false, 1/0, Local.Five > 3, "big", "small")', "big"],
      ["If(false, 1)", null],
      ['Switch(Local.Text, "x", 1/0, "Tea", "cup")', "cup"],
      ['Switch(1, 2, "two", "other")', "other"],
      ["Coalesce(Local.N, 7, 1/0)", 7],
      ['IfError(1/0, "failed")', "failed"],
      ['IfError(Value("abc"), 0)', 0],
      ["IsError(1/0)", true],
      ["IsBlankOrError(1/0) And IsBlankOrError(Local.N)", true],
      ["false And 1/0 > 1", false],
      ['IsBlank("") And IsBlank(Local.N) And !IsBlank(0)', true],
    ]));

  it("works on texts", () =>
    assertValues([
      ["Len(Local.Text) & Lower(Local.Text) & Upper(Local.Text)", "3teaTEA"],
      ['Proper("ada LOVELACE")', "Ada Lovelace"],
      ['Find("e", Local.Text)', 2],
      ['Find("z", Local.Text)', null],
      ['Replace("abcdef", 2, 3, "X")', "aXef"],
      ['Substitute("a-b-c", "-", "+")', "a+b+c"],
      ['Substitute("a-b-c", "-", "+", 2)', "a-b+c"],
      ['StartsWith("Hello", "he") And EndsWith("Hello", "LO")', true],
      ['Left("abc", 2) & Right("abc", 1) & Mid("abc", 2, 1)', "abcb"],
      ['Concatenate("a", 1, "b")', "a1b"],
      ['IsMatch("a@b.de", Match.Email)', true],
      ['IsMatch("x1", "\\d")', false],
      ['IsMatch("x1", "\\d", MatchOptions.Contains)', true],
      ['Match("v1.2", "(\\d)").FullMatch', "1"],
      ['CountRows(MatchAll("a1b2", "\\d"))', 2],
      ['Text(1234.5, "#,##0.00")', "1,234.50"],
      ['Text(0.5, "0%")', "50%"],
      ['Split("a,b", ",")', ["a", "b"]],
    ]));

  it("works on tables, whose columns are bare names", () =>
    assertValues([
      ["First(Local.People).name & Last(Local.People).age", "Ada17"],
      ["CountRows(Filter(Local.People, age >= 18))", 1],
      ['LookUp(Local.People, name = "Bob").age', 17],
      ['LookUp(Local.People, name = "Bob", age + 1)', 18],
      ["CountIf(Local.People, age > 10, age < 20)", 1],
      ["ForAll(Local.People, age * 2)", [72, 34]],
      ["ForAll(Local.People As p, p.name)", ["Ada", "Bob"]],
      ['Concat(ForAll(Local.People, $"- " & name), Value, ";")', "- Ada;- Bob"],
      ['Concat(Local.Values, Value, "+")', "a+b"],
      ['Search(Local.People, "ad", name)', [people[0] ?? null]],
      ["Index(Local.Values, 2)", "b"],
      ["FirstN([1, 2, 3], 2)", [1, 2]],
      ["LastN([1, 2, 3], 2)", [2, 3]],
      ["Sum(Local.People, age) + Max(Local.People, age)", 89],
      ["First(Sort(Local.People, age)).name", "Bob"],
      ["IsEmpty([]) And IsEmpty(Local.N) And Not(IsEmpty([1]))", true],
      ["Count([1, 2]) + CountA(Local.Values) + CountRows(Local.N)", 4],
      ["JSON({a: [1, 2]})", '{"a":[{"Value":1},{"Value":2}]}'],
      ["JSON([1], JSONFormat.FlattenValueTables)", "[1]"],
      ['ParseJSON("{""a"":[1]}").a', [1]],
      ["DropColumns(Local.People, age)", [{ name: "Ada" }, { name: "Bob" }]],
      ["With({x: 2}, x * x)", 4],
      ["Table({a: 1}, {a: 2})", [{ a: 1 }, { a: 2 }]],
    ]));

  it("reads messages as texts and as records", () =>
    assertValues([
      ["Last(Local.Said).Text", "Well done"],
      ["Local.Said.Text", "Well done"],
      ["MessageText(Local.Said)", "Well done"],
      ['UserMessage("hi").Text & MessageText([AgentMessage("a"), UserMessage("b")])', "hia\nb"],
      ['UserMessage("hi").Role', "User"],
    ]));

  it("counts days and months", () =>
    assertValues([
      ["DateAdd(Date(2026, 1, 31), 1, TimeUnit.Months)", "2026-02-28"],
      ["Date(2026, 1, 31) + 1", "2026-02-01"],
      ["DateDiff(Date(2026, 1, 1), Date(2026, 3, 1))", 59],
      ['DateDiff(DateTimeValue("2026-01-01T00:00:00Z"), DateTimeValue("2026-01-01T05:30:00Z"), TimeUnit.Hours)', 5],
      ['Text(DateTime(2026, 3, 9, 14, 5, 0), "yyyy-mm-dd hh:mm")', "2026-03-09 14:05"],
      ["Text(Date(2026, 3, 9), DateTimeFormat.ShortDate)", "3/9/2026"],
      ["Weekday(Date(2026, 11, 23)) & Weekday(Date(2026, 11, 23), StartOfWeek.Monday)", "21"],
      ['Year(DateValue("2026-05-04")) & Month("2026-05-04") & Day("2026-05-04")', "202654"],
      ['Hour(TimeValue("2:30 PM")) & Minute("14:45")', "1445"],
      ["Date(2026, 1, 2) < Date(2026, 1, 10)", true],
      ["IsToday(Today()) And IsUTCToday(UTCNow()) And Now() > Date(2020, 1, 1)", true],
      ["Time(8, 5, 0)", "08:05:00"],
    ]));

  it("says what it does not know, and what fails", async () => {
    for (const [source, problem] of [
      ["SummarizeAll(1)", "the function SummarizeAll is not supported"],
      ["Elsewhere.X", "the name Elsewhere is not known"],
      ["Len()", "Len takes 1 arguments"],
      ["1 +", "it ends too early"],
      ['Error("too bad")', "too bad"],
      ["1 / 0", "A division by zero, or a number that is too large."],
      ["Index([1], 2)", "The table has no row 2."],
    ] as const) {
      assert.deepEqual(await evaluate(source, state), { problem }, source);
    }
  });

  it("keeps prototypes out of reach", () =>
    assertValues([
      ["Local.People.constructor", [null, null]],
      ["{__proto__: 1}.constructor", null],
      ["First(ForAll(Local.People, constructor))", null],
    ]));
});

describe("reading an expression", () => {
  it("closes what was left open, and says so", () => {
    assert.partialDeepStrictEqual(parseExpression('UserMessage("a"'), { ok: true, isRepaired: true });
    assert.partialDeepStrictEqual(parseExpression("(1)"), { ok: true, isRepaired: false });
  });

  it("takes bounded time and depth for whatever there is", () => {
    for (const source of [
      "(".repeat(9_999),
      "1+".repeat(9_999),
      '$"{'.repeat(3_000),
      "[".repeat(25_000),
      "-".repeat(9_000),
    ]) {
      assert.equal(parseExpression(source).ok, false);
    }
    assert.equal(parseExpression(`1${"+1".repeat(300)}`).ok, true);
  });
});

describe("a literal in code", () => {
  it("holds no word that the code is searched for", async () => {
    const text = "fetch, require('x') and import(\"axios\")\u2028";
    assert.doesNotMatch(toLiteral({ [text]: text }), /\b(fetch|require|import|axios)\b|\u2028/);
    assert.equal(await evaluate('"fetch" & " it"'), "fetch it");
    assert.equal(await evaluate("{require: 1}.require"), 1);
  });
});

describe("an expression as a native condition", () => {
  const toReference = (expression: Expression) => {
    const path = pathOf(expression);
    return path && `{{ ${path.join(".")} }}`;
  };
  const test = (source: string) => {
    const parsed = parseExpression(source);
    return parsed.ok ? toBranchTest(parsed.expression, toReference) : undefined;
  };
  const text = (left: string, operation: string, right = "") => ({ type: "string", left, operation, right });

  it("compares paths with literals, and joins comparisons", () => {
    assert.deepEqual(test('Local.A = "x" And Local.B > 2'), {
      match: "all",
      conditions: [
        text("{{ Local.A }}", "equal", "x"),
        { type: "number", left: "{{ Local.B }}", operation: "larger", right: 2 },
      ],
    });
    assert.deepEqual(test('Or(Local.A = "x", Local.A <> "y")')?.match, "any");
    assert.deepEqual(test("Local.A")?.conditions, [
      { type: "boolean", left: "{{ Local.A }}", operation: "equal", right: true },
    ]);
    assert.deepEqual(test("!IsBlank(Local.A)")?.conditions, [text("{{ Local.A }}", "is-not-empty")]);
  });

  it("counts a blank as 0 in an order and as false in a negation", () => {
    assert.deepEqual(test("Local.A < 4"), {
      match: "any",
      conditions: [
        { type: "number", left: "{{ Local.A }}", operation: "is-empty", right: "" },
        { type: "number", left: "{{ Local.A }}", operation: "smaller", right: 4 },
      ],
    });
    assert.deepEqual(test("4 > Local.A"), test("Local.A < 4"));
    assert.equal(test("Not(Local.A)")?.match, "any");
  });

  it("leaves everything else to a function", () => {
    for (const source of [
      'Local.A = ""',
      "Local.A < 4 And Local.B = 1",
      'Local.A = "x" And (Local.B = 1 Or Local.B = 2)',
      'StartsWith(Local.A, "x")',
      "Local.A = Local.B",
      '"x" in Local.A',
      'Local.A = "{{ question }}"',
    ]) {
      assert.equal(test(source), undefined, source);
    }
  });
});
