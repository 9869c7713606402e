import type { z } from "zod";
import { toEtag } from "./entity-tag.ts";

/**
 * A value as its route answers it: the bytes of its JSON and their entity tag, made once and sent many times. It was
 * parsed through a schema, so nothing undeclared is in it; the route that answers it must declare that very schema.
 * Answers share the bytes: never change them.
 */
export class Written<R extends z.ZodType = z.ZodType> {
  readonly schema: R;
  readonly bytes: Buffer<ArrayBuffer>;
  readonly etag: string;

  private constructor(schema: R, bytes: Buffer<ArrayBuffer>) {
    this.schema = schema;
    this.bytes = bytes;
    this.etag = toEtag(bytes);
  }

  /** Throws a `ZodError` for a value that violates the schema. */
  static value<R extends z.ZodType>(schema: R, value: z.input<R>): Written<R> {
    return new Written(schema, Buffer.from(JSON.stringify(schema.parse(value))));
  }

  /** A list of values written before. */
  static list<T extends z.ZodType>(schema: z.ZodArray<T>, items: readonly Written<T>[]): Written<z.ZodArray<T>> {
    return new Written(schema, joined("[", items, "]"));
  }

  /** One page of values written before. */
  static page<T extends z.ZodType>(schema: PageSchema<T>, items: readonly Written<T>[], total: number) {
    return new Written(schema, joined('{"data":[', items, `],"total":${schema.shape.total.parse(total)}}`));
  }
}

type PageSchema<T extends z.ZodType> = z.ZodObject<{ data: z.ZodArray<T>; total: z.ZodNumber }>;

const comma = Buffer.from(",");

function joined(before: string, items: readonly Written[], after: string): Buffer<ArrayBuffer> {
  const parts = items.flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [comma, bytes]));
  return Buffer.concat([Buffer.from(before), ...parts, Buffer.from(after)]);
}
