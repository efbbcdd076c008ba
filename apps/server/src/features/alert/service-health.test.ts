import { expect, test } from 'vitest'
import { createServiceHealth } from './service-health.ts'

test('push fails with one of its services until that one responds', () => {
  let nowMs = 0
  const health = createServiceHealth({ now: () => new Date(nowMs) })
  health.note('a.example', false)
  health.note('a.example', false)
  expect(health.isOk()).toBe(true)
  health.note('b.example', false)
  health.note('a.example', false)
  expect(health.isOk()).toBe(false)
  health.note('b.example', true)
  expect(health.isOk()).toBe(false)
  health.note('a.example', true)
  expect(health.isOk()).toBe(true)
  for (let attempt = 0; attempt < 3; attempt++) health.note('a.example', false)
  expect(health.isOk()).toBe(false)
  // No message was sent since.
  nowMs += 900_000
  expect(health.isOk()).toBe(false)
  nowMs += 1
  expect(health.isOk()).toBe(true)
})
