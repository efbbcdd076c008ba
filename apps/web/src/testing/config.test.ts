import { routes } from '@clearwell/api/routes'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { testConfig } from './config.ts'

test('the sample configuration has every field of the response', () => {
  expect(z.safeParse(routes.config.response, testConfig()).error?.issues).toBeUndefined()
})
