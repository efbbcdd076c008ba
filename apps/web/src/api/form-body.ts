/** A value of a payload: text, number, switch, or a list or object of them. Absent values are left out. */
export type FormValue = string | number | boolean | null | undefined | readonly FormValue[] | FormObject
export interface FormObject {
  readonly [name: string]: FormValue
}

/** A form-urlencoded body with nested brackets: `{a: {b: 1}, c: [2]}` becomes `a[b]=1&c[0]=2`. */
export function formBody(payload: FormObject): URLSearchParams {
  const body = new URLSearchParams()
  append(body, '', payload)
  return body
}

/** Query parameters: a list is its key with a bracket suffix, repeated, each element JSON-encoded. */
export function queryText(payload: FormObject): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(payload)) {
    if (Array.isArray(value)) for (const element of value) query.append(`${name}[]`, JSON.stringify(element))
    else append(query, name, value)
  }
  return query.size === 0 ? '' : `?${query}`
}

function append(form: URLSearchParams, name: string, value: FormValue): void {
  if (value === null || value === undefined) return
  if (typeof value !== 'object') {
    form.append(name, String(value))
    return
  }
  for (const [key, inner] of Object.entries(value)) append(form, name === '' ? key : `${name}[${key}]`, inner)
}
