import { expect, test } from 'vitest'
import { highestPerStep } from './rate-history.tsx'

const at = (hour: number, loan_rate: string) => ({
  time: new Date(Date.UTC(2030, 0, 1, hour)).toISOString(),
  loan_rate,
})

test('each four hours keep their highest rate', () => {
  const rates = [at(0, '0.01'), at(1, '0.2'), at(3, '0.02'), at(4, '0.03')]
  expect(highestPerStep(rates).map(({ value }) => value)).toEqual(['0.2', '0.03'])
})
