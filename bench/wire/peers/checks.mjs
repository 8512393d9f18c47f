/**
 * One validator in a process of its own: `node --expose-gc checks.mjs CASE NAME FILE`, FILE being our wire module. Prints the nanoseconds
 * of a call in a list, as JSON: the median of the repetitions. The list is empty for what a validator can't do. Of the case `order` it
 * has two times: for JSON.parse alone, and with what we do after it.
 */

const REPETITIONS = 15;
/** Until then the code is still being compiled. */
const WARM_UP = 5;
const MILLISECONDS = 40;

const [caseName, name, file] = process.argv.slice(2);

const DATA = {
  number: 1,
  negNumber: -1,
  maxNumber: Number.MAX_VALUE,
  string: "string",
  longString: "Lorem ipsum dolor sit amet, consectetur adipiscing elit. ".repeat(20),
  boolean: true,
  deeplyNested: { foo: "bar", num: 1, bool: false },
};

const ORDER = {
  id: "0190a6b4-7c1e-7bd2-9a5e-3f1d2c4b5a69",
  customer: {
    name: "Ada Lovelace",
    email: "ada@example.org",
    address: { street: "12 St James's Square", city: "London", zip: "SW1Y 4JH", country: "GB" },
  },
  currency: "GBP",
  note: "Please ring twice.",
  lines: Array.from({ length: 10 }, (_, index) => ({
    sku: `SKU-${1000 + index}`,
    title: `Analytical engine, part ${index}`,
    quantity: index + 1,
    price: 19.99 + index,
    gift: index % 2 === 0,
  })),
  total: 1234.5,
};

/** Each is other objects, as they come from JSON. */
function copies(value) {
  const text = JSON.stringify(value);
  return Array.from({ length: 64 }, () => JSON.parse(text));
}

async function ours(path) {
  const { routeInputs } = await import(file);
  const inputs = routeInputs[`POST ${path}`];
  // One argument: the value itself.
  const reader = { body: undefined };
  return (data) => {
    reader.body = data;
    return inputs.read(reader);
  };
}

const VALIDATORS = {
  async ours() {
    const read = await ours("/moltar");
    const parse = (data) => {
      const taken = read(data);
      if (taken === undefined) throw new Error("refused");
      return taken[0];
    };
    return {
      parseSafe: parse,
      assertLoose(data) {
        parse(data);
        return true;
      },
    };
  },
  /** typia needs its transformer: this is what it writes for the type, written by hand. */
  async "typia's text"() {
    const nested = (input) =>
      "string" === typeof input.foo && "number" === typeof input.num && "boolean" === typeof input.bool;
    const outer = (input) =>
      "number" === typeof input.number &&
      "number" === typeof input.negNumber &&
      "number" === typeof input.maxNumber &&
      "string" === typeof input.string &&
      "string" === typeof input.longString &&
      "boolean" === typeof input.boolean &&
      "object" === typeof input.deeplyNested &&
      null !== input.deeplyNested &&
      nested(input.deeplyNested);
    const is = (input) => "object" === typeof input && null !== input && outer(input);
    const cloneNested = (input) => ({ foo: input.foo, num: input.num, bool: input.bool });
    const clone = (input) => ({
      number: input.number,
      negNumber: input.negNumber,
      maxNumber: input.maxNumber,
      string: input.string,
      longString: input.longString,
      boolean: input.boolean,
      deeplyNested:
        "object" === typeof input.deeplyNested && null !== input.deeplyNested
          ? cloneNested(input.deeplyNested)
          : input.deeplyNested,
    });
    const assertLoose = (data) => {
      if (!is(data)) throw new Error("refused");
      return true;
    };
    return {
      parseSafe(data) {
        assertLoose(data);
        return clone(data);
      },
      assertLoose,
    };
  },
  async typebox() {
    const { Type } = await import("@sinclair/typebox");
    const { TypeCompiler } = await import("@sinclair/typebox/compiler");
    const { Value } = await import("@sinclair/typebox/value");
    const schema = Type.Object({
      number: Type.Number(),
      negNumber: Type.Number(),
      maxNumber: Type.Number(),
      string: Type.String(),
      longString: Type.String(),
      boolean: Type.Boolean(),
      deeplyNested: Type.Object({ foo: Type.String(), num: Type.Number(), bool: Type.Boolean() }),
    });
    const compiled = TypeCompiler.Compile(schema);
    const assertLoose = (data) => {
      if (!compiled.Check(data)) throw new Error("refused");
      return true;
    };
    return {
      parseSafe(data) {
        assertLoose(data);
        return Value.Clean(schema, Value.Clone(data));
      },
      assertLoose,
    };
  },
  async ajv() {
    const { default: Ajv } = await import("ajv");
    const [number, string, boolean] = [{ type: "number" }, { type: "string" }, { type: "boolean" }];
    const object = (properties) => ({ type: "object", properties, required: Object.keys(properties) });
    const schema = object({
      number,
      negNumber: number,
      maxNumber: number,
      string,
      longString: string,
      boolean,
      deeplyNested: object({ foo: string, num: number, bool: boolean }),
    });
    const validate = new Ajv().compile(schema);
    return {
      assertLoose(data) {
        if (!validate(data)) throw new Error("refused");
        return true;
      },
    };
  },
  async zod() {
    const z = await import("zod");
    const shape = (object) => ({
      number: z.number(),
      negNumber: z.number(),
      maxNumber: z.number(),
      string: z.string(),
      longString: z.string(),
      boolean: z.boolean(),
      deeplyNested: object({ foo: z.string(), num: z.number(), bool: z.boolean() }),
    });
    const safe = z.object(shape(z.object));
    const loose = z.looseObject(shape(z.looseObject));
    return {
      parseSafe: (data) => safe.parse(data),
      assertLoose(data) {
        loose.parse(data);
        return true;
      },
    };
  },
  async valibot() {
    const v = await import("valibot");
    const schema = v.object({
      number: v.number(),
      negNumber: v.number(),
      maxNumber: v.number(),
      string: v.string(),
      longString: v.string(),
      boolean: v.boolean(),
      deeplyNested: v.object({ foo: v.string(), num: v.number(), bool: v.boolean() }),
    });
    const parseSafe = (data) => v.parse(schema, data, { abortEarly: true });
    return {
      parseSafe,
      assertLoose(data) {
        parseSafe(data);
        return true;
      },
    };
  },
};

/** What is timed, in turn: each once for each of its inputs. */
async function prepare() {
  if (caseName !== "order") {
    const run = (await VALIDATORS[name]())[caseName];
    return run ? [{ inputs: copies(DATA), run }] : [];
  }
  const text = JSON.stringify(ORDER);
  const read = await ours("/orders");
  if (read(ORDER) === undefined) throw new Error("The order is refused.");
  const inputs = Array.from({ length: 64 }, () => text);
  return [
    { inputs, run: (json) => JSON.parse(json) },
    { inputs, run: (json) => read(JSON.parse(json)) },
  ];
}

let kept;

function time({ inputs, run }) {
  const start = process.cpuUsage();
  const end = performance.now() + MILLISECONDS;
  let calls = 0;
  while (performance.now() < end) {
    for (let round = 0; round < 100; round++) for (const input of inputs) kept = run(input);
    calls += 100 * inputs.length;
  }
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1000) / calls;
}

const subjects = (await prepare()).map((subject) => ({ ...subject, times: [] }));
for (let round = 0; round < WARM_UP + REPETITIONS; round++) {
  for (const subject of subjects) {
    globalThis.gc?.();
    const taken = time(subject);
    if (round >= WARM_UP) subject.times.push(taken);
  }
}
const medians = subjects.map(({ times }) => times.sort((one, other) => one - other)[REPETITIONS >> 1]);
console.log(JSON.stringify(medians));
if (subjects.length > 0 && kept === undefined) throw new Error("Nothing was given.");
