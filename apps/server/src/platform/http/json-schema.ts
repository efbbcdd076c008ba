import * as z from 'zod/mini'

/** A JSON schema, as far as the references read it. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly title?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly additionalProperties?: JsonSchema | boolean
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
}

/** @param io `input` for payloads that a caller may send, `output` for responses. */
export function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema & {
    $schema?: string
  }
  return json
}

/** One line of a reference. */
export interface Field {
  /** `a.b`, `a[].b`; `a.<name>` where any name may stand. */
  readonly path: string
  /** The type, in words. */
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
  readonly default: unknown
}

/** Lists the fields of an object, those of nested objects and of lists of objects after their parent. */
export function fieldsOf(schema: JsonSchema, prefix = ''): Field[] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = prefix + name
    const own = {
      path,
      type: typeOf(field),
      isRequired: required.includes(name),
      description: field.description ?? '',
      default: field.default,
    }
    return [own, ...childrenOf(field, path)]
  })
}

function childrenOf(schema: JsonSchema, path: string): Field[] {
  const { title, properties, items, additionalProperties, anyOf = [] } = schema
  // The title says it all.
  if (title !== undefined) return []
  if (properties) return fieldsOf(schema, `${path}.`)
  if (items) return childrenOf(items, `${path}[]`)
  if (typeof additionalProperties === 'object') return childrenOf(additionalProperties, `${path}.<name>`)
  return anyOf.flatMap((each) => childrenOf(each, path))
}

/** Describes the type of a schema in words. */
export function typeOf(schema: JsonSchema): string {
  const { type, title, enum: values, anyOf, oneOf, items, additionalProperties } = schema
  if (title !== undefined) return title
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (values) return values.map((value) => JSON.stringify(value)).join(' or ')
  const variants = anyOf ?? oneOf ?? (Array.isArray(type) ? type.map((each) => ({ ...schema, type: each })) : undefined)
  if (variants) return [...new Set(variants.map(typeOf))].join(' or ')
  if (type === 'array') return items ? `list of ${typeOf(items)}` : 'list'
  if (type === 'object')
    return typeof additionalProperties === 'object' ? `${typeOf(additionalProperties)} by name` : 'object'
  if (type === 'integer' || type === 'number') return rangeOf(schema)
  if (type === 'string') return 'text'
  return typeof type === 'string' ? type : 'any value'
}

function rangeOf({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema): string {
  const [hasLeast, hasMost] = [minimum > Number.MIN_SAFE_INTEGER, maximum < Number.MAX_SAFE_INTEGER]
  if (hasLeast && hasMost) return `whole number from ${minimum} to ${maximum}`
  return hasLeast ? `whole number from ${minimum}` : 'whole number'
}
