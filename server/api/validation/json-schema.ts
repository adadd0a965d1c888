// The two shapes that all schema files share.

/** A JSON Schema (2020-12), as ajv compiles it and the OpenAPI description shows it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** An object out of `JSON.parse`: every key an own one. Read it; never copy it into an object literal. */
export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
