import type { JsonSchema } from '../json-schema.ts'
import { RIGHT_VALUES } from './payload-values.ts'
import type { Random } from './random-choice.ts'

/** A value that the schema of a field takes, as far as the schema says it. */
export function rightValue(name: string, schema: JsonSchema, random: Random): unknown {
  if (name in RIGHT_VALUES) return RIGHT_VALUES[name]
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (first) return rightValue(name, first, random)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[random(schema.enum.length)]
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (schema.type === 'array') return schema.items ? [rightValue(name, schema.items, random)] : []
  return 'none'
}

/**
 * Returns true where a value is certainly none that the schema takes. A form carries only text, so there a number is its digits.
 */
export function isOutside(schema: JsonSchema | undefined, value: unknown, isJson: boolean): boolean {
  if (schema === undefined || Object.keys(schema).length === 0) return false
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) return variants.every((each) => isOutside(each, value, isJson))
  if (typeof value === 'object') return schema.type === 'string' || schema.type === 'integer'
  if (schema.enum) return !schema.enum.some((each) => String(each) === String(value))
  if (schema.const !== undefined) return String(schema.const) !== String(value)
  if (schema.type !== 'string') return false
  if (typeof value !== 'string') return isJson
  return schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)
}

/** Objects within each other. */
export function deep(levels: number): object {
  let value: object = { a: 1 }
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}
