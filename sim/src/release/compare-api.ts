/** The part of a JSON schema that a client depends on. */
interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}

/** An OpenAPI document of the product. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/**
 * Finds where a client of the older API fails on the newer one: a call that is gone, an input that became required, a field that is
 * missing from the response. The app in an open tab is such a client.
 */
export function findBrokenCalls(older: ApiDocument, newer: ApiDocument): string[] {
  return Object.entries(older.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, before]) => {
      const call = `${method.toUpperCase()} ${path}`
      const now = newer.paths[path]?.[method]
      if (!now) return [`${call} is gone`]
      const asked = requiredInputs(now).filter((name) => !requiredInputs(before).includes(name))
      return [
        ...asked.map((name) => `${call} requires ${name}`),
        ...missingFields(responseOf(before), responseOf(now)).map((field) => `${call} does not return ${field}`),
      ]
    }),
  )
}

function requiredInputs({ parameters = [], requestBody }: Operation): string[] {
  const bodies = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => schema.required ?? [])
  return [...parameters.filter(({ required }) => required).map(({ name }) => name), ...bodies]
}

function responseOf({ responses }: Operation): Schema {
  return responses['200']?.content?.['application/json']?.schema ?? {}
}

/** The fields of the older schema that the newer one has not. Alternatives count together. */
function missingFields(older: Schema, newer: Schema, place = ''): string[] {
  const [before, now] = [propertiesOf(older), propertiesOf(newer)]
  return [...before].flatMap(([name, schema]) => {
    const path = place === '' ? name : `${place}.${name}`
    const found = now.get(name)
    return found ? missingFields(schema, found, path) : [path]
  })
}

function propertiesOf(schema: Schema): Map<string, Schema> {
  const own = Object.entries(schema.properties ?? {})
  const others = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]
  return new Map([...own, ...others.flatMap((each) => [...propertiesOf(each)])])
}
