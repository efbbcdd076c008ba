import * as z from 'zod/mini'

/**
 * A schema whose object may be absent, and so may each key inside it: it then has its part of the default.
 *
 * @example withDefaults(z.strictObject({ perAddress: count, inAll: count }), { perAddress: 4, inAll: 50 })
 */
export function withDefaults<Shape extends z.core.$ZodShape>(
  schema: z.ZodMiniObject<Shape, z.core.$strict>,
  defaults: z.output<z.ZodMiniObject<Shape, z.core.$strict>>,
): z.ZodMiniDefault<z.ZodMiniObject<Shape, z.core.$strict>> {
  return complete(schema, defaults as Values) as unknown as z.ZodMiniDefault<z.ZodMiniObject<Shape, z.core.$strict>>
}

type Values = Readonly<Record<string, unknown>>

function complete(schema: z.ZodMiniObject, defaults: Values): z.ZodMiniDefault {
  const shape = Object.entries(schema.shape).map(([key, each]) => [key, keyWithDefault(each, defaults[key])])
  return z._default(z.strictObject(Object.fromEntries(shape)), defaults)
}

/** A key that states its own default keeps it. */
function keyWithDefault(schema: z.core.$ZodType, value: unknown): z.core.$ZodType {
  if (schema instanceof z.ZodMiniDefault) return schema
  const isObject = schema instanceof z.ZodMiniObject
  const own = isObject ? complete(schema, value as Values) : z._default(schema as z.ZodMiniType, value)
  const about = z.globalRegistry.get(schema)
  return about ? own.check(z.meta(about)) : own
}
