import qs from 'qs'
import { invalidField } from '../ledger/refuse.ts'

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])
const MAX_DEPTH = 3

/** Reads a form or a query: nested brackets up to three deep, 100 parameters, arrays of 20. */
export function parseForm(text: string): Record<string, unknown> {
  let parsed: unknown
  try {
    parsed = qs.parse(text, {
      depth: MAX_DEPTH,
      strictDepth: true,
      parameterLimit: 100,
      arrayLimit: 20,
      throwOnLimitExceeded: true,
      // Objects are made without a prototype, so that these keys arrive here and are refused instead of vanishing.
      plainObjects: true,
    })
  } catch {
    throw invalidField('body', 'too deep or too long')
  }
  refuseForbiddenKeys(parsed, 0)
  return { ...(parsed as Record<string, unknown>) }
}

export function parseJson(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw invalidField('body', 'not JSON')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw invalidField('body', 'not an object')
  refuseForbiddenKeys(parsed, 0)
  return parsed as Record<string, unknown>
}

function refuseForbiddenKeys(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  if (depth > MAX_DEPTH + 1) throw invalidField('body', 'too deep')
  for (const key of Object.keys(value)) {
    if (FORBIDDEN_KEYS.has(key)) throw invalidField(key, 'not a field')
    refuseForbiddenKeys((value as Record<string, unknown>)[key], depth + 1)
  }
}
